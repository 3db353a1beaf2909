import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { stopChild, type Listening } from './start-child';

const MAIN = 'apps/standalone/dist/main.js';

/** This checkout, run as its `npm start` runs it. */
const HERE = { folder: resolve(__dirname, '../../../..'), flags: ['--max-semi-space-size=64'] };
const READY_PATIENCE_MS = 90_000;
const LOG_KEPT = 4000;

export type Gateway = Listening & { readonly key: string; readonly dataFolder: string };

export type GatewayOptions = {
  readonly gatewayEnv: Readonly<Record<string, string>>;
  /** Where it leaves a CPU profile when it stops. */
  readonly profile?: string | undefined;
  /** Another checkout than this one, and what its engine is given. */
  readonly checkout?: { readonly folder: string; readonly flags: readonly string[] };
};

/** Starts the standalone gateway in front of the fake upstream and waits until it is ready. */
export async function startGateway(upstreamUrl: string, { gatewayEnv, profile, checkout = HERE }: GatewayOptions): Promise<Gateway> {
  const main = join(checkout.folder, MAIN);
  if (!existsSync(main)) throw new Error(`${main} is not there; run npm run build first`);
  const dataFolder = makeTestFolder('gateway');
  const port = await findFreePort();
  const key = `bench-${randomBytes(24).toString('hex')}`;
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];
  // A file: reading a pipe would take CPU away from what is measured.
  const logFile = join(dataFolder, 'bench.log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [...checkout.flags, ...profiling, main], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      METRICS_PORT: '0',
      PROCESSES: '1',
      DATA_DIR: dataFolder,
      BOOTSTRAP_API_KEY: key,
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: `${upstreamUrl}/v1`,
      MISTRAL_API_KEY: 'bench',
      MISTRAL_BASE_URL: `${upstreamUrl}/v1`,
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: `${upstreamUrl}/v1`,
      ...gatewayEnv,
    },
  });
  closeSync(log);
  const stop = async (): Promise<void> => {
    await stopChild(child);
    rmSync(dataFolder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, port, () => readFileSync(logFile, 'utf8').slice(-LOG_KEPT));
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, pid: child.pid as number, port, key, dataFolder, stop };
}

async function waitUntilReady(child: ChildProcess, port: number, readLog: () => string): Promise<void> {
  const deadline = Date.now() + READY_PATIENCE_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}:\n${readLog()}`);
    if (await isReady(port)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the gateway was not ready after ${READY_PATIENCE_MS / 1000} s:\n${readLog()}`);
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
  } catch {
    // Nothing listens yet; the caller asks again until its patience ends.
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((found, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
