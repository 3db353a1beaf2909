import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import { createAttemptMetrics, createMetricsRegistry, type SpanAttributes, type Tracing } from '@weir/telemetry';
import type { ServerResponse } from 'node:http';
import type { ClosingFacts, Meter, OpenAttempt } from '../meter';
import { RequestMeter } from './request-meter';
import { createRequestObserver, type RequestObserver } from './request-observer';

const SPAN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
const FACTS: ClosingFacts = { usage: NO_USAGE, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true };
const passport = {
  requestId: 'r',
  endpointId: 'chat-completions',
  caller: {},
  hold: null,
  attempts: [{ modelId: 'maker/model', providerId: 'maker', upstreamModel: 'model' }],
} as unknown as Passport;

type Opening = { readonly meter: Meter; readonly observer: RequestObserver; readonly headers?: Record<string, string> };

/** A request that is observed. */
function open(asked: Passport, { meter, observer, headers = {} }: Opening): RequestMeter {
  const parts = { meter, observer, slots: { begin: () => undefined } };
  const request = new RequestMeter({ passport: asked, headers, response: {} as ServerResponse }, parts);
  request.begin();
  return request;
}

let started: SpanAttributes = {};
let ended: SpanAttributes = {};

/** Closes one attempt of a request that is observed, and returns the facts that the meter got. */
async function closeAttempt(
  traceparent: string | undefined,
  { asked = passport, facts = FACTS }: { asked?: Passport; facts?: ClosingFacts } = {},
): Promise<ClosingFacts | undefined> {
  let reported: ClosingFacts | undefined;
  const receipt = { costPico: 0n, costUsd: '0', billedPico: 0n, inputTokens: 0, outputTokens: 0 };
  const close = (facts: ClosingFacts) => {
    reported = facts;
    return receipt;
  };
  const meter: Meter = { openAttempt: () => ({ eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined, close }) };
  const tracing: Tracing = {
    startSpan: ({ attributes }) => {
      started = attributes;
      const end = (more: SpanAttributes): void => void (ended = more);
      return { traceparent: String(traceparent), note: () => undefined, rename: () => undefined, end };
    },
    close: () => Promise.resolve(),
  };
  const observer = createRequestObserver({
    metrics: createAttemptMetrics(createMetricsRegistry()),
    tracing: traceparent === undefined ? undefined : tracing,
    isTracingProviders: false,
    nameProvider: (id) => `known.${id}`,
    providerTime: { isAskedFor: () => false, writeWithHead: () => undefined },
  });
  const request = open(asked, { meter, observer });
  await request.run(() => {
    const attempt = request.openAttempt(0, 1);
    attempt.noteFirstByte();
    return Promise.resolve(attempt.close(facts));
  });
  return reported;
}

describe('what an event says of its trace', () => {
  it('is the span of its attempt, where that is kept', async () => {
    expect(await closeAttempt(`${SPAN}-01`)).toEqual({ ...FACTS, traceparent: `${SPAN}-01` });
  });

  it('is nothing where the trace is not kept, and where nothing is traced', async () => {
    expect(await closeAttempt(`${SPAN}-00`)).toEqual(FACTS);
    expect(await closeAttempt(undefined)).toBe(FACTS);
  });
});

describe('the span of an attempt', () => {
  it('says what the conventions for generative AI ask for, and no content', async () => {
    const usage = { ...NO_USAGE, inputUncached: 7, cacheRead: 3, output: 20, reasoning: 5 };
    await closeAttempt(`${SPAN}-01`, { asked: { ...passport, stream: true }, facts: { ...FACTS, usage } });

    expect(started).toEqual({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'known.maker', 'gen_ai.request.model': 'model' },
      ...{ 'gen_ai.request.stream': true, 'weir.provider': 'maker', 'weir.model': 'maker/model' },
      ...{ 'weir.attempt': 1, 'weir.request_id': 'r' },
      ...{ 'weir.organization_id': passport.caller.organizationId, 'weir.api_key_id': passport.caller.apiKeyId },
    });
    expect(ended).toEqual({
      ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.cache_read.input_tokens': 3, 'gen_ai.usage.cache_creation.input_tokens': 0 },
      ...{ 'gen_ai.usage.output_tokens': 20, 'gen_ai.usage.reasoning.output_tokens': 5, 'gen_ai.response.model': 'model' },
      ...{ 'gen_ai.response.time_to_first_chunk': expect.any(Number) as number, 'http.response.status_code': 200, 'weir.cost_usd': '0' },
    });
  });

  it('of a picture says so, and of a whole reply nothing of streams', async () => {
    await closeAttempt(`${SPAN}-01`, { asked: { ...passport, endpointId: 'image-generations' } });

    expect(started).toMatchObject({ 'gen_ai.operation.name': 'generate_content', 'gen_ai.output.type': 'image' });
    expect([started, ended].map((reported) => Object.keys(reported).filter((name) => /stream|chunk/.test(name)))).toEqual([[], []]);
  });
});

describe('the time of providers', () => {
  it('is shown only to callers that ask for it', async () => {
    const readings: (() => number)[] = [];
    const attempt: OpenAttempt = {
      ...{ eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined },
      close: () => ({ costPico: 0n, costUsd: '0', billedPico: 0n, inputTokens: 0, outputTokens: 0 }),
    };
    const observer = createRequestObserver({
      metrics: createAttemptMetrics(createMetricsRegistry()),
      tracing: undefined,
      isTracingProviders: false,
      nameProvider: (id) => id,
      providerTime: { isAskedFor: (headers) => 'asks' in headers, writeWithHead: (_response, readMs) => void readings.push(readMs) },
    });
    const meter: Meter = { openAttempt: () => attempt };
    open(passport, { meter, observer }).openAttempt(0, 1).noteFirstByte();
    expect(readings).toEqual([]);
    open(passport, { meter, observer, headers: { asks: 'overhead' } })
      .openAttempt(0, 1)
      .noteFirstByte();
    const shown = readings.map((readMs) => readMs());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(readings.map((readMs) => readMs())).toEqual(shown);
    expect(shown).toHaveLength(1);
  });
});
