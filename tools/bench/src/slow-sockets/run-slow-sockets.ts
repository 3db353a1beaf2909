import { fork, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { nextMessage, stopChild } from '../measure/start-child';
import type { KindResult, OpenLoadJob, OpenLoadResult } from '../overload/open-load-job';
import { openFrom, openSlowSockets } from './open-slow-sockets';

export type SlowSocketsResult = {
  readonly sockets: number;
  /** Served as ever: before there were slow sockets, and while they were open. */
  readonly before: KindResult;
  readonly during: KindResult;
  /** Of those that one address was allowed: whether one more was closed at once. */
  readonly isCapped: boolean;
  /** Until the last slow socket was closed; Infinity when some were not. */
  readonly closedMs: number;
};

const PER_ADDRESS = 200;
const HEALTHY_PER_SECOND = 100;
const HEALTHY_CONNECTIONS = 50;
const BEFORE_SECONDS = 8;
const DURING_SECONDS = 12;
const CLOSED_PATIENCE_MS = 60_000;

/** Serves callers, then serves them while so many sockets never finish the head of a request. */
export async function runSlowSockets(sockets: number): Promise<SlowSocketsResult> {
  const harness = await startStandalone({ env: { NODE_ENV: 'production', LOG_LEVEL: 'error', PROXY_NETWORKS: 'none' } });
  const generator = fork(join(__dirname, '..', 'overload', 'open-load-generator.js'));
  const port = Number(new URL(harness.url).port);
  try {
    await serve(generator, harness, 2);
    const before = await serve(generator, harness, BEFORE_SECONDS);
    const slow = await openSlowSockets({ port, count: sockets, perAddress: PER_ADDRESS });
    const [during, isCapped] = await Promise.all([serve(generator, harness, DURING_SECONDS), isRefused(port)]);
    const closedMs = await withinPatience(slow.closed);
    slow.stop();
    return { sockets, before, during, isCapped, closedMs };
  } finally {
    await stopChild(generator);
    await harness.process.terminate();
    rmSync(harness.dataDir, { recursive: true, force: true });
  }
}

async function serve(generator: ChildProcess, { url, apiKey }: Harness, seconds: number): Promise<KindResult> {
  const body = JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'hi' }] });
  const text =
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${apiKey}\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`;
  const answer = nextMessage<OpenLoadResult>(generator, 'open load generator');
  const kinds = [{ name: 'healthy', perSecond: HEALTHY_PER_SECOND, requests: [{ text }] }];
  const job: OpenLoadJob = { port: Number(new URL(url).port), seconds, settleSeconds: 0, connectionsMax: HEALTHY_CONNECTIONS, kinds };
  generator.send(job);
  return (await answer).kinds[0] as KindResult;
}

/** Whether an address that has all the connections it may have gets no other. */
async function isRefused(port: number): Promise<boolean> {
  const socket = await openFrom('127.0.1.1', port);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), 2000);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function withinPatience(closed: Promise<number>): Promise<number> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(Infinity), CLOSED_PATIENCE_MS);
    void closed.then((ms) => {
      clearTimeout(timer);
      resolve(ms);
    });
  });
}
