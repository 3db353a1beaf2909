import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gatewaySettings } from './gateway-settings';

/** A running build of the gateway. */
export type Gateway = {
  /** Which of the two it is, as reports name it. */
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** All that it has written to its output. */
  readonly output: () => string;
  /** Runs the build's own command line on this gateway's data; returns what it prints as JSON. */
  operate(...words: readonly string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
};

const OPERATOR_TRIES = 4;
const READY_PATIENCE_MS = 120_000;
/** Enough to run, and no settings of this process. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
const ADMINISTRATOR = 'differential-administrator-key-0123456789';

/** Starts a checkout's built gateway in one process, with data of its own, in front of a provider. */
export async function startGateway(name: string, checkout: string, upstreamUrl: string): Promise<Gateway> {
  const main = resolve(checkout, 'apps/standalone/dist/main.js');
  if (!existsSync(main)) throw new Error(`${main} is not there: build that checkout first`);
  const dataDir = mkdtempSync(join(tmpdir(), `weir-differential-${name}-`));
  const base = Object.fromEntries(PASSED_ON.flatMap((each) => (process.env[each] === undefined ? [] : [[each, process.env[each]]])));
  const env = { ...base, ...gatewaySettings(upstreamUrl), DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMINISTRATOR };
  const child = spawn(process.execPath, ['--max-semi-space-size=64', main], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = keepOutput(child);
  // Ended by a signal, this process takes the gateway along, which takes its Postgres along.
  process.once('exit', () => child.kill('SIGTERM'));
  const stop = async (): Promise<void> => {
    await stopChild(child);
    removeData(dataDir);
  };
  try {
    const [, url = ''] = await waitForOutput(child, output, /"?ready at (http:\/\/[^\s"]+)/);
    const [, metricsUrl = ''] = await waitForOutput(child, output, /Metrics for Prometheus at (http:\/\/[^\s"]+)\/metrics/);
    const operate = (...words: readonly string[]): Promise<Record<string, unknown>> => runOperator(checkout, env, words);
    return { name, url, metricsUrl, apiKey: ADMINISTRATOR, dataDir, output, operate, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function keepOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

async function waitForOutput(child: ChildProcess, output: () => string, pattern: RegExp): Promise<RegExpExecArray> {
  const deadline = Date.now() + READY_PATIENCE_MS;
  for (;;) {
    const match = pattern.exec(output());
    if (match !== null) return match;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`a gateway did not print ${String(pattern)}:\n${output()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Tries again what failed: on a busy machine a transaction may take longer than it may. */
async function runOperator(checkout: string, env: NodeJS.ProcessEnv, words: readonly string[]): Promise<Record<string, unknown>> {
  const program = join(checkout, 'apps/operator/bin/weir.cjs');
  for (let triesLeft = OPERATOR_TRIES - 1; ; triesLeft -= 1) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env });
      return JSON.parse(stdout) as Record<string, unknown>;
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  await ended;
}

/** Run by root, Postgres keeps its data in a folder of the system; which one stands in a file at the place it should have had. */
function removeData(dataDir: string): void {
  const location = join(dataDir, 'postgres', 'location');
  if (existsSync(location)) rmSync(readFileSync(location, 'utf8').trim(), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
