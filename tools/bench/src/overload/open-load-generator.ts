// Sends requests at a steady rate whether or not replies come, over raw keep-alive sockets. Runs in its own process.
import { connect, type Socket } from 'node:net';
import { percentile } from '../revocations/percentile';
import type { KindResult, OpenLoadJob, OpenLoadKind, OpenLoadResult } from './open-load-job';
import { createReplyEnd, type ReplyEnd } from './reply-end';

type Tally = {
  readonly kind: OpenLoadKind;
  readonly requests: readonly { readonly bytes: Buffer; readonly endMark: string }[];
  due: number;
  sent: number;
  skipped: number;
  done: number;
  doneSteady: number;
  refused: number;
  failed: number;
  firstFailure: string | undefined;
  readonly doneMs: number[];
  readonly refusedMs: number[];
};

/** A connection, and the request under way on it. */
type Line = { readonly socket: Socket; readonly end: ReplyEnd; tally: Tally | undefined; endMark: string; sentAt: number };

/** When replies count as steady: all others are counted, but are left out of the rate. */
const steady = { fromMs: 0, toMs: 0 };

type Lines = { readonly idle: Line[]; readonly all: Set<Line>; readonly port: number };

const TICK_MS = 1;
const OPENED_AT_ONCE = 50;
const OPENING_PAUSE_MS = 10;
/** For replies that are under way when the time is over, or before it begins. */
const PATIENCE_MS = 10_000;
/** One in so many requests is asked how late it was. */
const LATE_EVERY = 16;

process.on('message', (job: OpenLoadJob) => {
  runJob(job)
    .then((result) => process.send?.(result))
    .catch((error: unknown) => {
      process.stderr.write(`open load generator: ${String(error)}\n`);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));

async function runJob({ port, seconds, settleSeconds, connectionsMax, kinds }: OpenLoadJob): Promise<OpenLoadResult> {
  const tallies = kinds.map(startTally);
  const lines: Lines = { idle: [], all: new Set(), port };
  const lateMs: number[] = [];
  await openAll(lines, connectionsMax);
  const startedAt = performance.now();
  [steady.fromMs, steady.toMs] = [startedAt + settleSeconds * 1000, startedAt + seconds * 1000];
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  while (elapsed() < seconds) {
    for (const tally of tallies) sendDue(tally, lines, { elapsed, connectionsMax, lateMs });
    await pause(TICK_MS);
  }
  const elapsedSeconds = elapsed();
  const deadline = performance.now() + PATIENCE_MS;
  while ([...lines.all].some(({ tally }) => tally !== undefined) && performance.now() < deadline) await pause(TICK_MS);
  for (const { socket } of lines.all) socket.destroy();
  return {
    elapsedSeconds,
    lateMsP99: percentile(lateMs, 0.99),
    kinds: tallies.map((tally) => describeTally(tally, seconds - settleSeconds)),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A few at a time: the test is of requests, not of what a system does with so many new connections at once. Each asks
 * something at once, as a server closes connections that do not; all are idle before the first request is due.
 */
async function openAll(lines: Lines, connectionsMax: number): Promise<void> {
  const greeting = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${lines.port}\r\n\r\n`;
  while (lines.all.size < connectionsMax) {
    for (let index = 0; index < OPENED_AT_ONCE && lines.all.size < connectionsMax; index += 1) openLine(lines).socket.write(greeting);
    await pause(OPENING_PAUSE_MS);
  }
  const deadline = performance.now() + PATIENCE_MS;
  while (lines.idle.length < lines.all.size && performance.now() < deadline) await pause(TICK_MS);
}

function startTally(kind: OpenLoadKind): Tally {
  const counts = { due: 0, sent: 0, skipped: 0, done: 0, doneSteady: 0, refused: 0, failed: 0, firstFailure: undefined };
  const requests = kind.requests.map(({ text, endMark = '' }) => ({ bytes: Buffer.from(text), endMark }));
  return { kind, requests, ...counts, doneMs: [], refusedMs: [] };
}

type Sending = { readonly elapsed: () => number; readonly connectionsMax: number; readonly lateMs: number[] };

function sendDue(tally: Tally, lines: Lines, { elapsed, connectionsMax, lateMs }: Sending): void {
  const { perSecond } = tally.kind;
  for (const until = elapsed() * perSecond; tally.due < until; tally.due += 1) {
    const line = lines.idle.pop() ?? (lines.all.size < connectionsMax ? openLine(lines) : undefined);
    if (line === undefined) {
      tally.skipped += 1;
      continue;
    }
    tally.sent += 1;
    if (tally.sent % LATE_EVERY === 0) lateMs.push(elapsed() * 1000 - (tally.due / perSecond) * 1000);
    line.tally = tally;
    line.sentAt = performance.now();
    const request = tally.requests[tally.sent % tally.requests.length] as Tally['requests'][number];
    line.endMark = request.endMark;
    line.socket.write(request.bytes);
  }
}

function openLine(lines: Lines): Line {
  const socket = connect({ port: lines.port, host: '127.0.0.1', noDelay: true });
  const line: Line = { socket, end: createReplyEnd(), tally: undefined, endMark: '', sentAt: 0 };
  lines.all.add(line);
  socket.on('data', (bytes: Buffer) => {
    if (!line.end.take(bytes)) return;
    takeReply(line);
    line.end.reset();
    if (lines.all.has(line)) lines.idle.push(line);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    lines.all.delete(line);
    const at = lines.idle.indexOf(line);
    if (at >= 0) lines.idle.splice(at, 1);
    if (line.tally !== undefined) fail(line.tally, 'the connection was closed before the answer was there');
    line.tally = undefined;
  });
  return line;
}

function takeReply(line: Line): void {
  const { tally, sentAt, end, endMark } = line;
  line.tally = undefined;
  if (tally === undefined) return;
  const now = performance.now();
  const tookMs = now - sentAt;
  const start = end.start();
  const status = start.toString('latin1', 9, 12);
  if (status === '200' && end.tail().includes(endMark)) {
    tally.done += 1;
    if (now >= steady.fromMs && now < steady.toMs) tally.doneSteady += 1;
    tally.doneMs.push(tookMs);
  } else if (status === '503' && /\r\nretry-after: \d/i.test(start.toString('latin1'))) {
    tally.refused += 1;
    tally.refusedMs.push(tookMs);
  } else {
    fail(tally, `${start.toString('utf8').slice(0, 1000)} … ${end.tail()}`);
  }
}

function fail(tally: Tally, failure: string): void {
  tally.failed += 1;
  tally.firstFailure ??= failure;
}

function describeTally(tally: Tally, steadySeconds: number): KindResult {
  const { kind, sent, skipped, done, doneSteady, refused, failed, firstFailure, doneMs, refusedMs } = tally;
  const latency = (times: readonly number[]) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
  const counts = { sent, skipped, done, donePerSecond: doneSteady / steadySeconds, refused, failed, firstFailure };
  return { name: kind.name, ...counts, doneMs: latency(doneMs), refusedMs: latency(refusedMs) };
}
