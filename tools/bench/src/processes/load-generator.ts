// Sends requests over raw keep-alive sockets, checks every reply, and returns what it saw. Runs in its own process.
import { connect, type Socket } from 'node:net';
import { findReplyFault, isReplyComplete } from './read-reply';
import type { LoadJob, LoadResult } from './load-job';
import { startPace, type Pace } from './pace';

type Tally = {
  requests: number;
  errors: number;
  firstError: string | undefined;
  readonly times: number[];
  readonly pace: Pace;
  isOver: boolean;
};

process.on('message', (job: LoadJob) => {
  runJob(job)
    .then((result) => process.send?.(result))
    .catch((error: unknown) => {
      process.stderr.write(`load generator: ${String(error)}\n`);
      process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));

async function runJob(job: LoadJob): Promise<LoadResult> {
  const tally: Tally = { requests: 0, errors: 0, firstError: undefined, times: [], pace: startPace(job.perSecond), isOver: false };
  const request = encodeRequest(job);
  const startedAt = performance.now();
  const stop = setTimeout(() => {
    tally.isOver = true;
    tally.pace.stop();
  }, job.seconds * 1000);
  await Promise.all(Array.from({ length: job.concurrency }, () => runConnection(job, request, tally)));
  clearTimeout(stop);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const times = Float64Array.from(tally.times).sort();
  return {
    requests: tally.requests,
    errors: tally.errors,
    firstError: tally.firstError,
    elapsedSeconds,
    p50Ms: pickPercentile(times, 0.5),
    p99Ms: pickPercentile(times, 0.99),
  };
}

function encodeRequest(job: LoadJob): Buffer {
  return Buffer.from(
    `POST ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${job.key}\r\ncontent-length: ${Buffer.byteLength(job.body)}\r\n\r\n${job.body}`,
  );
}

/** One connection, one request at a time, until the time is over; a broken connection is counted and replaced. */
async function runConnection(job: LoadJob, request: Buffer, tally: Tally): Promise<void> {
  while (!tally.isOver) {
    const fault = await exchangeUntilBroken(job, request, tally);
    if (fault === undefined) return;
    tally.errors += 1;
    tally.firstError ??= fault;
    // A target that refuses everything would otherwise be asked in a busy loop.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function exchangeUntilBroken(job: LoadJob, request: Buffer, tally: Tally): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
    let pieces: Buffer[] = [];
    let sentAt = 0;
    let firstAt = 0;
    const finish = (fault: string | undefined): void => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve(fault);
    };
    const send = (): void => {
      if (tally.isOver) return finish(undefined);
      pieces = [];
      firstAt = 0;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', () => tally.pace.whenDue(send));
    socket.on('data', (bytes: Buffer) => {
      pieces.push(bytes);
      if (job.stream && firstAt === 0 && bytes.includes('data: ')) firstAt = performance.now();
      if (!isReplyComplete(pieces)) return;
      const fault = findReplyFault(Buffer.concat(pieces), job);
      if (fault !== undefined) return finish(fault);
      tally.requests += 1;
      tally.times.push((job.stream ? firstAt : performance.now()) - sentAt);
      tally.pace.whenDue(send);
    });
    socket.on('error', (error) => finish(`connection: ${error.message}`));
    socket.on('close', () => finish(tally.isOver ? undefined : 'the connection was closed in the middle of the run'));
  });
}

function pickPercentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
