import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectBody } from './collect-body';
import { readQuestion } from './read-question';
import { say } from './replies';
import type { Question, Reply, ReplyMaker } from './reply';
import { writeReply } from './write-reply';

/** One request that reached the upstream, as its bytes say. */
export type Call = {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether the reply waits for its caller to leave: only then is it no chance how much of it the gateway reads. */
  readonly isWaiting: boolean;
  /** Whether the gateway read the reply to its end. */
  readonly ended: Promise<'to its end' | 'left early'>;
};

/** What one request of a caller made the gateway ask. */
export type Expectation = {
  readonly calls: readonly Call[];
  /** Replies that wait go on. */
  goOn(): void;
};

export type Upstream = {
  readonly url: string;
  /** The next calls that name this mark, or no mark that is known, get these replies; the last one again and again. */
  expect(mark: string, replies: readonly ReplyMaker[]): Expectation;
  /** Calls that came when nothing was expected. */
  readonly strays: readonly Call[];
  stop(): Promise<void>;
};

type Open = { readonly replies: readonly ReplyMaker[]; readonly calls: Call[]; readonly waiting: (() => void)[]; hasGoneOn: boolean };

/** A provider of all dialects that replies as each request's mark says and notes every byte it gets. */
export async function startUpstream(): Promise<Upstream> {
  const expected = new Map<string, Open>();
  const strays: Call[] = [];
  let latest: Open | undefined;

  const find = (body: Buffer): Open | undefined => {
    const mark = /mark-[a-z]+-/.exec(body.toString('latin1'))?.[0];
    return (mark === undefined ? undefined : expected.get(mark)) ?? latest;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await collectBody(request);
    const open = find(body);
    const calls = open?.calls ?? strays;
    const reply = chooseReply(open?.replies ?? [], calls.length, readQuestion(request.url ?? '', body));
    const isWaiting = reply.steps.some((step) => step.do === 'wait');
    calls.push({ ...describe(request, body), isWaiting, ended: endOf(response) });
    await writeReply(response, reply, () => waitFor(open, response));
  };
  const server = createServer({ keepAliveTimeout: 600_000, requestTimeout: 0 }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strays,
    expect: (mark, replies) => {
      const open: Open = { replies, calls: [], waiting: [], hasGoneOn: false };
      expected.set(mark, open);
      latest = open;
      return { calls: open.calls, goOn: () => goOn(open) };
    },
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

function describe(request: IncomingMessage, body: Buffer): Omit<Call, 'ended' | 'isWaiting'> {
  const { rawHeaders } = request;
  const headers = Array.from(
    { length: rawHeaders.length / 2 },
    (_, at) => [rawHeaders[2 * at] ?? '', rawHeaders[2 * at + 1] ?? ''] as const,
  );
  return { method: request.method ?? '', path: request.url ?? '', headers, body };
}

function chooseReply(replies: readonly ReplyMaker[], callsBefore: number, question: Question): Reply {
  const make = replies[callsBefore] ?? replies.at(-1) ?? say();
  return make(question);
}

function endOf(response: ServerResponse): Call['ended'] {
  return new Promise((settle) => {
    response.once('close', () => settle(response.writableFinished ? 'to its end' : 'left early'));
  });
}

function goOn(open: Open): void {
  open.hasGoneOn = true;
  for (const resume of open.waiting.splice(0)) resume();
}

/** Until the request's sender lets it go on, or the gateway has left. */
function waitFor(open: Open | undefined, response: ServerResponse): Promise<void> {
  return new Promise((resume) => {
    if (open === undefined || open.hasGoneOn || response.destroyed) return resume();
    open.waiting.push(resume);
    response.once('close', resume);
  });
}
