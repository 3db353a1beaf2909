import type { EmbeddingRequest } from '@weir/canonical';
import type { Attempt, UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createSandboxProvider, type Provider, type EmbeddingCodec } from '@weir/providers';
import { createAttemptRunner, createRouteHealth } from '@weir/routing';
import { createMemoryMetering, makeAttempt, makePassport } from '@weir/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmbeddingsHandler } from './handle-embeddings-request';

type Reply = { data: { index: number; embedding: number[] | string }[]; model: string; usage: { prompt_tokens: number; cost: number } };

const catalog = createBuiltInCatalog();
const sandbox = createSandboxProvider();

/** Returns the length of each text as its vector; a text "fail" breaks the call it is in. */
function createCodec(more: Partial<EmbeddingCodec> = {}): EmbeddingCodec & { readonly asked: EmbeddingRequest[] } {
  const asked: EmbeddingRequest[] = [];
  return {
    asked,
    kind: 'translated',
    takesTokens: false,
    inputsMax: () => 2,
    encodeRequest: (request, _target, losses) => {
      asked.push(request);
      if (request.endUserId !== undefined) losses.dropped.add('user');
      return { path: '/embeddings', body: JSON.stringify({ model: 'embedding', input: request.inputs.items }) };
    },
    decodeReply: ({ text }) => {
      const { usage } = JSON.parse(text) as Reply;
      const last = asked.find(({ inputs }) => inputs.items.length === (JSON.parse(text) as Reply).data.length);
      return { vectors: (last?.inputs.items ?? []).map(() => [usage.prompt_tokens, 0.5]), promptTokens: usage.prompt_tokens };
    },
    ...more,
  };
}

describe('an embedding request in the worker', () => {
  let events: UsageEvent[];
  let begun: string[];
  let provider: Provider;
  let server: Server;
  let attempts: Attempt[];
  let isStrict: boolean;
  let chargesFailures: boolean;
  const attempt = (providerId = 'sandbox'): Attempt => {
    const record = catalog.find('sandbox/embedding');
    if (record === undefined) throw new Error('no sandbox model');
    return { ...makeAttempt(record, catalog), providerId };
  };

  beforeEach(async () => {
    const memory = createMemoryMetering();
    ({ events, begun } = memory);
    [provider, attempts, isStrict, chargesFailures] = [sandbox, [attempt()], false, false];
    const handle = createEmbeddingsHandler({
      ...memory.metering,
      findProvider: (id) => (id === 'sandbox' ? provider : undefined),
      findModel: (id) => {
        const record = catalog.find(id);
        return record && catalog.facts(record);
      },
      headersTimeoutMs: 1_000,
      idleTimeoutMs: 1_000,
      now: Date.now,
      runner: createAttemptRunner({ health: createRouteHealth({ now: () => 0 }), wait: () => Promise.resolve() }),
      reportsOutcomes: false,
      guardRequest: () => Promise.resolve(),
    });
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const passport = makePassport({ endpointId: 'embeddings', attempts, isStrict, chargesFailures });
        const forwarded = { passport, body: Buffer.concat(chunks), headers: request.headers, response, notes: {} };
        handle(forwarded).catch((error: unknown) => {
          const code = error instanceof GatewayError ? error.code : String(error);
          response.writeHead(error instanceof GatewayError ? error.status : 500).end(JSON.stringify({ code }));
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const post = async (body: object) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'sandbox/embedding', ...body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is answered in the provider’s own words with the cost, and journalled as one event with the same', async () => {
    const { status, headers, text } = await post({ input: ['one two three', 'four'], dimensions: 4 });
    const reply = JSON.parse(text) as Reply;

    expect(status).toBe(200);
    expect(reply).toMatchObject({ object: 'list', model: 'sandbox/embedding', data: [{ index: 0 }, { index: 1 }] });
    expect(reply.data[1]?.embedding).toHaveLength(4);
    expect(text).toContain('"usage":{"prompt_tokens":4,"total_tokens":4,"cost":0.00000008}');
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-weir-model': 'sandbox/embedding',
      'x-weir-provider': 'sandbox',
      'x-weir-attempts': '1',
      'x-weir-cost': '0.00000008',
    });
    expect(begun).toEqual(['req-1:1']);
    expect(events).toMatchObject([
      {
        event_id: 'req-1:1',
        logical: true,
        modality: 'embedding',
        status: 'ok',
        unit_source: 'provider',
        cost_p: '80000',
        units: { in: 4, out: 0 },
      },
    ]);
  });

  it('is charged a marked estimate when the provider reports no usage, and the exact count when it came as tokens', async () => {
    const reported = JSON.parse((await post({ input: '!no-usage some words' })).text) as Reply;
    expect(reported.usage).toMatchObject({ prompt_tokens: 6, estimated: true });
    expect(events[0]).toMatchObject({
      unit_source: 'estimate',
      units: { in: reported.usage.prompt_tokens },
      cost_p: String(reported.usage.prompt_tokens * 20_000),
    });

    const lane = sandbox.embeddings;
    if (lane?.kind !== 'express') throw new Error('the sandbox has an express lane');
    provider = { ...sandbox, embeddings: { ...lane, readUsage: () => null } };
    await post({ input: [[1, 2, 3], [4]] });
    expect(events[1]).toMatchObject({ unit_source: 'tokenizer', units: { in: 4 }, cost_p: '80000' });
  });

  it('gets vectors in the form it asked for, in either form that the provider returns', async () => {
    const floats = (JSON.parse((await post({ input: 'x', dimensions: 4 })).text) as Reply).data[0]?.embedding as number[];
    for (const form of ['float', 'base64']) {
      const { express, codec, ...rest } = sandbox;
      const lane = sandbox.embeddings;
      if (lane?.kind !== 'express') throw new Error('the sandbox has an express lane');
      // A provider that knows only the other form.
      const other = JSON.stringify(form === 'float' ? 'base64' : 'float');
      provider = {
        ...rest,
        express,
        codec,
        embeddings: {
          ...lane,
          encodeOriginal: (body, target) => {
            const call = lane.encodeOriginal(body, target);
            return { ...call, body: call.body.toString().replace(/"encoding_format":"\w+"/, `"encoding_format":${other}`) };
          },
        },
      };
      const reply = JSON.parse((await post({ input: 'x', dimensions: 4, encoding_format: form })).text) as Reply;
      const { embedding } = reply.data[0] ?? { embedding: [] };
      if (form === 'base64') expect(embedding).toBe(Buffer.from(new Float32Array(floats).buffer).toString('base64'));
      else expect((embedding as number[]).map(Math.fround)).toEqual(floats.map(Math.fround));
      expect(reply.data[0]?.index).toBe(0);
    }
  });

  describe('with a provider that takes two inputs a call', () => {
    it('makes as many calls as it takes, numbers the vectors through, and is still one event', async () => {
      const codec = createCodec();
      provider = { ...sandbox, embeddings: codec };
      const { text } = await post({ input: ['a', 'b', 'c', 'd', 'e'], encoding_format: 'base64' });
      const reply = JSON.parse(text) as Reply;

      expect(codec.asked.map(({ inputs }) => inputs.items)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      expect(reply.data.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
      // The double each text counts is that of its call: order is kept.
      expect(reply.data.map(({ embedding }) => Buffer.from(embedding as string, 'base64').readFloatLE(0))).toEqual([2, 2, 2, 2, 1]);
      expect(reply).toMatchObject({ object: 'list', model: 'sandbox/embedding', usage: { prompt_tokens: 5, total_tokens: 5 } });
      expect(events).toMatchObject([{ units: { in: 5 }, cost_p: '100000', status: 'ok' }]);
    });

    it('fails as a whole when one call fails, and costs nothing', async () => {
      provider = { ...sandbox, embeddings: createCodec() };
      const { status, text } = await post({ input: ['a', 'b', '!status 400', 'd', 'e'] });

      expect([status, text]).toEqual([400, '{"code":"provider_refused"}']);
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0', units: { in: 0 }, http_status: 400, logical: true }]);
    });

    it('refuses replies that leave vectors out', async () => {
      provider = { ...sandbox, embeddings: createCodec({ decodeReply: () => ({ vectors: [[1]], promptTokens: 1 }) }) };
      expect(await post({ input: ['a', 'b', 'c'] })).toMatchObject({ status: 502, text: '{"code":"provider_unreadable"}' });
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0' }]);
    });

    it('reports what was lost, or is refused when the caller is strict', async () => {
      provider = { ...sandbox, embeddings: createCodec() };
      expect((await post({ input: 'a', user: 'u' })).headers.get('x-weir-dropped')).toBe('user');
      isStrict = true;
      expect(await post({ input: 'a', user: 'u' })).toMatchObject({ status: 400, text: '{"code":"unsupported_field"}' });
      expect(events).toHaveLength(1);
    });

    it('refuses tokens before anything is sent', async () => {
      provider = { ...sandbox, embeddings: createCodec() };
      expect(await post({ input: [1, 2] })).toMatchObject({ status: 400, text: '{"code":"unsupported_field"}' });
      expect(begun).toEqual([]);
    });
  });

  it('reports what the express lane had to leave out, or is refused when the caller is strict', async () => {
    const { embeddings } = sandbox;
    if (embeddings?.kind !== 'express') throw new Error('the sandbox takes embeddings as they come');
    const encodeOriginal: typeof embeddings.encodeOriginal = (...asked) => ({ ...embeddings.encodeOriginal(...asked), dropped: ['user'] });
    provider = { ...sandbox, embeddings: { ...embeddings, encodeOriginal } };

    expect((await post({ input: 'a', user: 'u' })).headers.get('x-weir-dropped')).toBe('user');
    isStrict = true;
    expect(await post({ input: 'a', user: 'u' })).toMatchObject({ status: 400, text: '{"code":"unsupported_field"}' });
    expect(events).toHaveLength(1);
  });

  it.each([
    'not json',
    '[]',
    '{"data":[]}',
    '{"data":[{"embedding":[1]}',
    '{"data":[{"index":0}],"usage":{}}',
    '{"data":[{"embedding":7}]}',
  ])('costs nothing when the provider returns %s', async (answer) => {
    provider = {
      ...sandbox,
      transport: async (call) => {
        const { Readable } = await import('node:stream');
        if (call.signal.aborted) throw call.signal.reason;
        return { status: 200, headers: {}, body: Readable.from([Buffer.from(answer)]) };
      },
    };
    expect(await post({ input: 'x' })).toMatchObject({ status: 502, text: '{"code":"provider_unreadable"}' });
    expect(events).toMatchObject([{ status: 'upstream_error', error_origin: 'provider', cost_p: '0' }]);
  });

  describe('of a reply without vectors that reports usage all the same', () => {
    const answerFirst = (text: string): Provider => {
      let calls = 0;
      return {
        ...sandbox,
        transport: async (call) => {
          calls += 1;
          if (calls > 1) return sandbox.transport(call);
          const { Readable } = await import('node:stream');
          return { status: 200, headers: {}, body: Readable.from([Buffer.from(text)]) };
        },
      };
    };
    const WITHOUT = '{"data":[],"usage":{"prompt_tokens":7,"total_tokens":7}}';

    it('that is kept, and costs nothing', async () => {
      provider = answerFirst(WITHOUT);
      expect((await post({ input: 'x' })).status).toBe(502);
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0', units: { in: 0 }, uncharged: { units: { in: 7 } } }]);
    });

    it('is charged where the organization pays for failures: the next reply shows the sum', async () => {
      [provider, attempts, chargesFailures] = [answerFirst(WITHOUT), [attempt(), attempt()], true];
      const { status, headers, text } = await post({ input: 'x' });
      const sum = events.reduce((total, { cost_p: pico }) => total + Number(pico), 0) / 1e12;

      expect([status, events.length, events[0]?.units.in]).toEqual([200, 2, 7]);
      expect(Number(events[0]?.cost_p)).toBeGreaterThan(0);
      expect([(JSON.parse(text) as Reply).usage.cost, Number(headers.get('x-weir-cost'))]).toEqual([sum, sum]);
    });

    it('it is believed as little as any other', async () => {
      [provider, chargesFailures] = [answerFirst(WITHOUT.replaceAll('7', String(10 ** 12))), true];
      await post({ input: 'x' });
      expect(events).toMatchObject([{ unit_source: 'estimate', doubted: { in: 10 ** 12 } }]);
      expect(events[0]?.units.in).toBeLessThan(300);
    });

    it('so it is of several calls that come to too few vectors', async () => {
      const codec = createCodec({ decodeReply: () => ({ vectors: [], promptTokens: 3 }) });
      provider = { ...sandbox, embeddings: codec };
      await post({ input: ['a', 'b', 'c'] });
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0', uncharged: { units: { in: 6 } } }]);
    });

    it('so it is of those calls that were answered before another was refused', async () => {
      let calls = 0;
      const transport: Provider['transport'] = async (call) => {
        calls += 1;
        const isSecond = calls > 1;
        // By then the first has been read.
        if (isSecond) await new Promise((resolve) => setTimeout(resolve, 100));
        return sandbox.transport(call);
      };
      provider = { ...sandbox, transport, embeddings: createCodec() };
      expect((await post({ input: ['a', 'b', '!status 400'] })).status).toBe(400);
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0', uncharged: { units: { in: 2 } } }]);
    });

    it.each([0, 1])('so it is where the vectors of call %i of two cannot be read', async (broken) => {
      const codec = createCodec();
      const decodeReply: EmbeddingCodec['decodeReply'] = (reply, target) => {
        if ((JSON.parse(reply.text) as Reply).data.length === 2 - broken) throw new Error('no vectors');
        return codec.decodeReply(reply, target);
      };
      provider = { ...sandbox, embeddings: { ...codec, decodeReply } };
      expect((await post({ input: ['a', 'b', 'c'] })).status).toBe(502);
      expect(events).toMatchObject([{ status: 'upstream_error', cost_p: '0', uncharged: { units: { in: 1 + broken } } }]);
    });
  });

  it('moves on to the next attempt, and counts the request once', async () => {
    attempts = [attempt(), attempt()];
    expect((await post({ input: '!status 503 x' })).status).toBe(503);
    expect(events).toMatchObject([
      { attempt_no: 1, logical: false, status: 'upstream_error' },
      { attempt_no: 2, logical: true, status: 'upstream_error' },
    ]);
  });
});
