import { createMemoryReplyCache } from '@weir/access';
import type { ClaimOutcome, IdempotencyRecords } from '@weir/database';
import { GatewayError, toGatewayError } from '@weir/errors';
import { sendError } from '@weir/http-server';
import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdempotentResponses } from '../idempotent-responses';
import { createReplays, type ReplayKind } from '../replays';
import { createResponseCache } from '../response-cache';

type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };
type Sent = { readonly reply: Promise<Reply>; leave(): void };
export type Serve = (response: ServerResponse) => Promise<void> | void;

type Row = { token: string; sha: string; reply: Buffer | null };

/** Idempotency records in memory, as they stand in Postgres. */
function createMemoryRecords() {
  const rows = new Map<string, Row>();
  let claims = 0;
  const nameOf = ({ organizationId, keyHash }: { organizationId: string; keyHash: Buffer }): string =>
    `${organizationId}:${keyHash.toString('hex')}`;
  const records: IdempotencyRecords = {
    claim: (asked) => {
      const row = rows.get(nameOf(asked));
      const sha = asked.requestSha256.toString('hex');
      const outcome = (): ClaimOutcome => {
        if (row === undefined) {
          claims += 1;
          rows.set(nameOf(asked), { token: String(claims), sha, reply: null });
          return { kind: 'claimed', claim: { ...asked, token: String(claims) } };
        }
        if (row.sha !== sha) return { kind: 'mismatch' };
        return row.reply === null ? { kind: 'running' } : { kind: 'answered', reply: row.reply };
      };
      return Promise.resolve(outcome());
    },
    renew: () => Promise.resolve(),
    finish: (claim, reply) => {
      const row = rows.get(nameOf(claim));
      if (row?.token === claim.token) row.reply = Buffer.from(reply);
      return Promise.resolve();
    },
    abandon: (claim) => {
      if (rows.get(nameOf(claim))?.token === claim.token) rows.delete(nameOf(claim));
      return Promise.resolve();
    },
    purge: () => Promise.resolve(),
  };
  return { records, rows };
}

/** A server whose worker responds as scripted, behind the replays of the edge. */
export async function startReplayHarness(options: { responseBytesMax?: number } = {}) {
  const { records, rows } = createMemoryRecords();
  const parts = {
    pepper: 'a pepper of thirty-two or more characters',
    log: { warn: () => undefined },
    responseBytesMax: options.responseBytesMax ?? 4096,
  };
  const store = createMemoryReplyCache({ bytesMax: 1_000_000, now: Date.now });
  const counted: ReplayKind[] = [];
  const replays = createReplays({
    idempotent: createIdempotentResponses({ ...parts, log: parts.log as never, records }),
    cache: createResponseCache({ ...parts, log: parts.log as never, store }),
    count: (kind) => void counted.push(kind),
  });
  const world = { serve: ((response) => void response.end()) as Serve, isZeroRetention: false, served: 0 };
  const server = createServer((incoming, response) => {
    const run = async (): Promise<void> => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const ask = {
        organizationId: String(incoming.headers['x-organization'] ?? 'ours'),
        apiKeyId: 'key',
        requestId: 'request',
        endpointId: 'chat-completions',
        headers: incoming.headers,
        fingerprint: () => text,
        extension: undefined,
        circumstances: () => '',
        isZeroRetention: world.isZeroRetention,
        response,
      };
      if (await replays.answer(ask)) return;
      world.served += 1;
      await world.serve(response);
    };
    run().catch((thrown: unknown) => {
      if (!(thrown instanceof GatewayError)) response.setHeader('x-thrown', String(thrown).replace(/\s+/g, ' '));
      sendError(response, toGatewayError(thrown), { requestId: 'request', dialect: 'gateway' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const send = (body: string, headers: Record<string, string> = {}): Sent => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
    const reply = new Promise<Reply>((resolve, reject) => {
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.once('error', reject);
        incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
      });
    });
    outgoing.end(body);
    return { reply, leave: () => outgoing.destroy() };
  };
  return {
    world,
    rows,
    store,
    counted,
    send: (body: string, headers?: Record<string, string>) => send(body, headers).reply,
    open: send,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()) && server.closeAllConnections()),
  };
}
