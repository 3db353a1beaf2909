import type { UsageEvent } from '@weir/contracts';
import { parseJsonBody, type ForwardedRequest } from '@weir/http-server';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createSandboxProvider } from '@weir/providers';
import { createAttemptRunner, createRouteHealth } from '@weir/routing';
import { createMemoryMetering, makeAttempt, makePassport } from '@weir/testing';
import { createReadCoalescer } from '@weir/upstream-http';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INLINE_NOTHING } from '../exchange/inline-media';
import { createChatHandler } from './handle-chat-request';

const catalog = createBuiltInCatalog();
const sandbox = createSandboxProvider();
const record = catalog.find('sandbox/chat');
if (record === undefined) throw new Error('no sandbox model');
const attempt = { ...makeAttempt(record, catalog), providerId: 'sandbox' };

describe('what is made of the body of a chat request', () => {
  let events: UsageEvent[];
  let forwarded: ForwardedRequest;
  let server: Server;

  beforeEach(async () => {
    const memory = createMemoryMetering();
    ({ events } = memory);
    const handle = createChatHandler({
      ...memory.metering,
      findProvider: () => sandbox,
      findModel: () => catalog.facts(record),
      ...{ headersTimeoutMs: 1_000, idleTimeoutMs: 1_000, heartbeatMs: 1_000, now: Date.now, reportsOutcomes: false },
      runner: createAttemptRunner({ health: createRouteHealth({ now: () => 0 }), wait: () => Promise.resolve() }),
      ...{ whenDurable: () => null, failPoint: () => undefined, drains: { enter: () => undefined }, rest: createReadCoalescer() },
      guardRequest: () => Promise.resolve(),
      inlineMedia: INLINE_NOTHING,
    });
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const parsed = parseJsonBody(body);
        const passport = makePassport({ endpointId: 'chat-completions', attempts: [attempt], stream: parsed.json['stream'] === true });
        forwarded = { passport, body, parsed, headers: request.headers, response, notes: {} };
        handle(forwarded).catch((error: unknown) => response.destroy(error as Error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const post = async (content: string, stream: boolean): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    const body = JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content }], stream });
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
    expect(response.status).toBe(200);
    await response.text();
  };

  it('is let go of once its stream has begun', async () => {
    await post('some words', true);
    expect(forwarded.parsed).toBeUndefined();
    expect(events).toMatchObject([{ status: 'ok', unit_source: 'provider' }]);
  });

  it('is read from its bytes again where a stream reports no usage, and charged as a whole reply is', async () => {
    const prompt = `${'many words of a long prompt, '.repeat(50)}!no-usage`;
    await post(prompt, false);
    await post(prompt, true);
    const [whole, streamed] = events;
    expect(forwarded.parsed).toBeUndefined();
    expect(streamed).toMatchObject({ unit_source: 'estimate', units: { in: whole?.units.in } });
    expect(whole?.units.in).toBeGreaterThan(300);
  });
});
