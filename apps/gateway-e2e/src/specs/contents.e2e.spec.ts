import { randomUUID } from 'node:crypto';
import { createTopics } from '@weir/kafka';
import { describeWithRealParts, startFakeUpstream, waitUntil, type FakeUpstream } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

type Sent = { readonly id: string; readonly body: string; readonly reply: HarnessReply };
type KeptPart = { readonly body: string; readonly is_cut: boolean };
type Kept = { readonly request: KeptPart; readonly response: KeptPart & { readonly status: number; readonly content_type: string } };

const ROUTES = [
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'TEXT' }] }],
  ['/v1/responses', { input: 'TEXT' }],
  ['/v1/messages', { messages: [{ role: 'user', content: 'TEXT' }], max_tokens: 50 }],
] as const;

/** What the specs of both shapes do: with a gateway and its administrator, and a key that may read contents. */
function createSteps(call: CallHarness, reader: string) {
  const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Sent> => {
    const text = JSON.stringify(body);
    const reply = await call(`POST ${path}`, text, headers);
    return { id: reply.headers['x-request-id'] ?? '', body: text, reply };
  };
  const read = (id: string, key = reader): Promise<HarnessReply> =>
    call(`GET /v1/manage/generation/${id}/content`, undefined, { authorization: `Bearer ${key}` });
  const readKept = async ({ id }: Sent): Promise<Kept> =>
    (
      await callUntil(
        () => read(id),
        ({ status }) => status === 200,
      )
    ).json as unknown as Kept;
  return {
    send,
    read,
    chat: (text: string, headers: Record<string, string> = {}, more: object = {}) =>
      send('/v1/chat/completions', { model: 'sandbox/chat', messages: [{ role: 'user', content: text }], ...more }, headers),
    /** What is kept of a request that was sent is what went over the wire, byte for byte. */
    expectKept: async (sent: Sent): Promise<Kept> => {
      const kept = await readKept(sent);
      expect(kept.request).toEqual({ body: sent.body, is_cut: false });
      expect(kept.response).toMatchObject({ body: sent.reply.text, is_cut: false, status: sent.reply.status });
      expect(sent.reply.headers['content-type']).toBe(kept.response.content_type);
      return kept;
    },
    /** Nothing is kept of these, although of one that was sent after them it is. */
    expectNotKept: async (sent: readonly Sent[], after: Sent): Promise<void> => {
      await readKept(after);
      for (const { id } of sent) expect([id, (await read(id)).status]).toEqual([id, 404]);
    },
  };
}

type Steps = ReturnType<typeof createSteps>;

async function openSteps(call: CallHarness): Promise<Steps> {
  const made = await call('POST /v1/manage/apikey', { name: 'reader', permissions: { contents: 'read' } });
  return createSteps(call, String(made.json['api_key']));
}

/** Resolves when the edge keeps contents of new requests. */
async function turnOn(call: CallHarness, steps: Steps, days = 7): Promise<void> {
  expect((await call('PATCH /v1/manage/org', { keep_contents_days: days })).status).toBe(204);
  await waitUntil('contents are kept', async () => {
    const { id } = await steps.chat('Are contents kept?');
    await new Promise((resolve) => setTimeout(resolve, 500));
    return (await steps.read(id)).status === 200;
  });
}

async function turnOff(call: CallHarness): Promise<void> {
  expect((await call('PATCH /v1/manage/org', { keep_contents_days: null })).status).toBe(204);
}

describe('contents of requests, in one process', () => {
  let harness: Harness;
  let call: CallHarness;
  let steps: Steps;

  beforeAll(async () => {
    harness = await startStandalone();
    call = createCallHarness(harness);
    steps = await openSteps(call);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
  });

  it('are kept of no request before the organization asks for it, and its own first key may not read any', async () => {
    const before = await steps.chat('Nothing of this is kept');
    await turnOn(call, steps);
    const after = await steps.chat('This is kept');

    await steps.expectNotKept([before], after);
    expect((await steps.read(after.id, harness.apiKey)).status).toBe(403);
  }, 20_000);

  it('are what went over the wire in every dialect, whole and streamed; of embeddings too', async () => {
    for (const [path, body] of ROUTES) {
      for (const stream of [false, true]) {
        const text = `Say this: ${randomUUID()} ünïcödé`;
        const sent = await steps.send(
          path,
          JSON.parse(JSON.stringify({ model: 'sandbox/chat', stream, ...body }).replace('TEXT', text)) as object,
        );
        expect([path, sent.reply.status]).toEqual([path, 200]);
        expect((await steps.expectKept(sent)).request.body).toContain(text);
      }
    }
    await steps.expectKept(await steps.send('/v1/embeddings', { model: 'sandbox/embedding', input: 'A text' }));
    await steps.expectKept(await steps.send('/v1/completions', { model: 'sandbox/chat', prompt: 'As it was sent' }));
  }, 30_000);

  it('are never kept under zero retention, nor of token counts, estimates, pictures and what the edge refuses', async () => {
    const sent = [
      await steps.chat('zero by header', { 'x-weir-data-policy': 'zero-retention' }),
      await steps.chat('zero by body', {}, { weir: { data_policy: 'zero-retention' } }),
      await steps.send('/v1/messages/count_tokens', { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Count' }] }),
      await steps.send('/v1/estimate', { model: 'sandbox/chat', messages: [] }),
      await steps.send('/v1/images/generations', { model: 'sandbox/image', prompt: 'A picture' }),
      await steps.send('/v1/chat/completions', { model: 'no/such-model', messages: [] }),
    ];
    expect(sent.map(({ reply }) => reply.status)).toEqual([200, 200, 200, 200, 200, 404]);

    await steps.expectNotKept(sent, await steps.chat('After them'));
  }, 20_000);

  it('are cut at 256 KiB, and say so', async () => {
    const sent = await steps.chat('x'.repeat(300_000));
    await waitUntil('they are kept', async () => (await steps.read(sent.id)).status === 200);

    const { request } = (await steps.read(sent.id)).json as unknown as Kept;

    expect([request.is_cut, request.body.length, sent.body.startsWith(request.body)]).toEqual([true, 256 * 1024, true]);
  }, 20_000);

  it('have nothing that a guardrail masked or blocked, in the table or elsewhere', async () => {
    const rules = [
      { name: 'masks', detectors: ['email'], action: 'mask', stage: 'both' },
      { name: 'blocks', detectors: ['card'], action: 'block', stage: 'both' },
    ];
    const made = await Promise.all(rules.map((rule) => call('POST /v1/manage/guardrail', rule)));
    await callUntil(
      async () => (await steps.chat('4111 1111 1111 1111')).reply,
      ({ status }) => status === 403,
    );
    const sent = [
      await steps.chat('jane.doe@example.com'),
      await steps.chat('jane.doe@example.com', {}, { stream: true }),
      await steps.chat('4111 1111 1111 1111'),
    ];
    expect(sent.map(({ reply }) => reply.headers['x-weir-guardrail'])).toEqual(['masked', 'masked', 'flagged']);

    const harmless = await steps.chat('Nothing to find here');
    await steps.expectKept(harmless);
    await steps.expectNotKept(sent, harmless);
    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/weir_request_contents_total\{outcome="left_out"\} [4-9]/);
    expect(metrics).toContain('weir_request_contents_total{outcome="dropped"} 0');
    for (const { json } of made) await call(`DELETE /v1/manage/guardrail/${String(json['id'])}`);
  }, 20_000);

  it('are kept of a request that is repeated once: the repetition reaches no model', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await steps.chat('Once', key);
    const again = await steps.chat('Once', key);
    expect(again.reply.headers['idempotency-replayed']).toBe('true');

    await steps.expectKept(first);
    await steps.expectNotKept([again], await steps.chat('After it'));
  }, 20_000);

  it('are out of reach as soon as the organization keeps none, and are in no log line', async () => {
    const secret = `secret ${randomUUID()}`;
    const sent = await steps.chat(secret);
    await steps.expectKept(sent);
    await turnOff(call);

    expect((await steps.read(sent.id)).status).toBe(404);
    expect(harness.process.output()).not.toContain(secret);
    const { json } = await call('GET /v1/manage/audit?limit=20');
    expect(JSON.stringify(json)).toContain('"read-contents"');
    expect(JSON.stringify(json)).not.toContain(secret);
  }, 20_000);
});

describeWithRealParts(['postgres', 'redis', 'kafka'], 'contents of requests, in one process per service', () => {
  let harness: DistributedHarness;
  let upstream: FakeUpstream;
  let parts: TakenParts;
  let call: CallHarness;
  let steps: Steps;

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    upstream = await startFakeUpstream();
    harness = await startDistributed(parts, pointAt(upstream));
    call = createCallHarness(harness);
    steps = await openSteps(call);
  }, 180_000);
  afterAll(async () => {
    await harness.stop();
    await upstream.stop();
    await parts.stop();
  }, 60_000);

  it('are kept by the edge as they went over the wire, express, translated and from the sandbox, whole and streamed', async () => {
    const before = await steps.chat('Nothing of this is kept');
    await turnOn(call, steps);
    for (const model of ['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5', 'sandbox/chat']) {
      for (const stream of [false, true]) {
        const sent = await steps.chat(`Hello ${randomUUID()}`, {}, { model, stream, max_tokens: 50 });
        expect([model, sent.reply.status]).toEqual([model, 200]);
        await steps.expectKept(sent);
      }
    }
    const zero = await steps.chat('zero', { 'x-weir-data-policy': 'zero-retention' });
    await steps.expectNotKept([before, zero], await steps.chat('After them'));
  }, 60_000);

  it('are written before an edge that is stopped ends', async () => {
    const sent = await steps.chat('The last one');
    expect(await harness.services['edge-router'].terminate()).toBe(0);
    await harness.restart('edge-router');

    await steps.expectKept(sent);
  }, 60_000);
});
