import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { endWithProcess } from './end-with-process';
import { makeTestFolder } from '../folders';
import { findFreePort } from './find-free-port';
import { findProgram } from './find-program';
import { announcePart, PART_VARIABLES } from './real-part';
import { startContainer } from './start-container';

export type RealRedis = { readonly url: string; stop(): Promise<void> };

const READY_TIMEOUT_MS = 15_000;

/** A Redis of the suite's own, unless the environment names one; undefined when none can be had. */
export async function getRedis(): Promise<RealRedis | undefined> {
  const given = process.env[PART_VARIABLES.redis];
  if (given !== undefined && given !== '') {
    announcePart('redis', 'environment', PART_VARIABLES.redis);
    return { url: given, stop: () => Promise.resolve() };
  }
  const container = await startContainer({ image: 'redis:7-alpine', containerPort: 6379, readyLine: /Ready to accept connections/ });
  if (container !== undefined) {
    announcePart('redis', 'container', 'redis:7-alpine');
    return { url: `redis://${container.host}:${container.port}`, stop: () => container.stop() };
  }
  const program = findProgram('redis-server');
  if (program === undefined) return undefined;
  const redis = await startLocalRedis(program);
  announcePart('redis', 'local program', `${program} at ${redis.url}`);
  return redis;
}

async function startLocalRedis(program: string): Promise<RealRedis> {
  const directory = makeTestFolder('redis');
  const port = await findFreePort();
  const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory], {
    stdio: 'ignore',
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(child.pid ?? -1);
  await waitForPong(child, port);
  child.unref();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      ending.release();
      child.ref();
      child.kill('SIGTERM');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function waitForPong(child: ChildProcess, port: number): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!(await repliesToPing(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
    if (Date.now() > giveUpAt) throw new Error(`redis-server did not answer within ${READY_TIMEOUT_MS} ms`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

function repliesToPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('data', (reply) => finish(reply.toString().startsWith('+PONG')));
    socket.on('error', () => finish(false));
  });
}
