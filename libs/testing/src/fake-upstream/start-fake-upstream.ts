import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDefaultReply } from './default-replies';
import type { ExchangeEnd, RecordedRequest } from './recorded-request';
import { createReplyBook, type ReplyPlan, type ReplyRule } from './scripted-reply';
import { CUT_EVENT, sendReply } from './send-reply';

export type FakeUpstream = {
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Scripts a reply; scripts are tried in the order they were given. */
  reply(plan: ReplyPlan, rule?: ReplyRule): void;
  /** Resolves with the first `count` requests as soon as so many have come. */
  waitForRequests(count: number): Promise<readonly RecordedRequest[]>;
  /** One-time scripts no one asked for; a test that expects every call to happen wants 0. */
  unusedReplyCount(): number;
  stop(): Promise<void>;
};

type Waiter = { readonly count: number; readonly resolve: () => void };

/** A provider for tests: remembers its requests and replies as scripted, or with an echo. */
export async function startFakeUpstream({ port = 0 }: { port?: number } = {}): Promise<FakeUpstream> {
  const requests: RecordedRequest[] = [];
  const waiters = new Set<Waiter>();
  const book = createReplyBook();

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await recordRequest(incoming, response);
    requests.push(request);
    for (const waiter of waiters) if (requests.length >= waiter.count) waiter.resolve();
    await sendReply(response, book.take(request) ?? createDefaultReply(request));
  };
  const server = createServer((incoming, response) => {
    // A caller that goes away while its body is still coming is no failure of the fake.
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    reply: (plan, rule) => book.add(plan, rule),
    async waitForRequests(count) {
      if (requests.length < count) await new Promise<void>((resolve) => waiters.add({ count, resolve }));
      return requests.slice(0, count);
    },
    unusedReplyCount: () => book.unusedCount(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function recordRequest(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const ended = watchEnd(response);
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    bodyText: body.toString('utf8'),
    ended,
  };
}

function watchEnd(response: ServerResponse): Promise<ExchangeEnd> {
  let unfinished: ExchangeEnd = 'aborted';
  response.once(CUT_EVENT, () => (unfinished = 'cut'));
  return new Promise((resolve) => response.once('close', () => resolve(response.writableFinished ? 'answered' : unfinished)));
}
