import { createDefaultReply, startFakeUpstream, type FakeUpstream, type RecordedRequest, type ReplyScript } from '@weir/testing';
import { createCallHarness, type CallHarness } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Refusal = { readonly headers: Readonly<Record<string, string>>; readonly error: object };
type Vendor = {
  /** The first part of its address on the fake upstream. */
  readonly host: string;
  readonly model: string;
  /** How it refuses a request for its rate, and how long it wants to be left alone. */
  readonly refuse: () => Refusal;
  readonly waitMs: number;
};

const VENDORS: readonly Vendor[] = [
  {
    host: 'openai',
    model: 'openai/gpt-4o-mini',
    refuse: () => ({
      headers: { 'x-ratelimit-limit-requests': '1', 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1.2s' },
      error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' },
    }),
    waitMs: 1_200,
  },
  {
    host: 'anthropic',
    model: 'anthropic/claude-haiku-4-5',
    refuse: () => ({
      headers: {
        'anthropic-ratelimit-requests-limit': '1',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': new Date(Math.floor(Date.now() / 1000) * 1000 + 2_000).toISOString(),
      },
      error: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
    }),
    waitMs: 1_900,
  },
  {
    host: 'azure',
    model: 'azure/openai/gpt-4o-mini',
    refuse: () => ({
      headers: { 'retry-after': '2', 'retry-after-ms': '1200', 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1' },
      error: { code: '429', message: 'Requests have exceeded the call rate limit.' },
    }),
    waitMs: 1_200,
  },
  {
    host: 'google',
    model: 'google/gemini-2.5-flash',
    refuse: () => ({
      headers: {},
      error: {
        code: 429,
        message: 'You exceeded your current quota.',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.4s' }],
      },
    }),
    waitMs: 1_400,
  },
  {
    host: 'groq',
    model: 'groq/openai/gpt-oss-20b',
    refuse: () => ({
      headers: {
        'retry-after': '1',
        'x-ratelimit-limit-tokens': '6000',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1.1s',
      },
      error: { message: 'Rate limit reached for model', type: 'tokens', code: 'rate_limit_exceeded' },
    }),
    waitMs: 1_000,
  },
];

const GEMINI_REPLY = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
  modelVersion: 'gemini-2.5-flash',
};

describe('a refusal for the rate, as a vendor writes it', () => {
  let upstream: FakeUpstream;
  let harness: Harness;
  let call: CallHarness;
  /** When requests came, by host. */
  const cameAtMs = new Map<string, number[]>();

  const reply = ({ host, refuse }: Vendor, request: RecordedRequest): ReplyScript => {
    const came = [...(cameAtMs.get(host) ?? []), performance.now()];
    cameAtMs.set(host, came);
    if (came.length === 1) {
      const { headers, error } = refuse();
      return { status: 429, headers, body: { error } };
    }
    return host === 'google' ? { body: GEMINI_REPLY } : createDefaultReply(request);
  };

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    for (const vendor of VENDORS)
      upstream.reply((request) => reply(vendor, request), { when: ({ path }) => path.startsWith(`/${vendor.host}/`) });
    harness = await startStandalone({
      env: {
        ...{ OPENAI_API_KEY: 'upstream-key', OPENAI_BASE_URL: `${upstream.url}/openai/v1` },
        ...{ ANTHROPIC_API_KEY: 'upstream-key', ANTHROPIC_BASE_URL: `${upstream.url}/anthropic` },
        ...{ AZURE_OPENAI_API_KEY: 'upstream-key', AZURE_OPENAI_ENDPOINT: `${upstream.url}/azure/v1` },
        ...{ GEMINI_API_KEY: 'upstream-key', GEMINI_BASE_URL: `${upstream.url}/google/v1beta` },
        ...{ GROQ_API_KEY: 'upstream-key', GROQ_BASE_URL: `${upstream.url}/groq/v1` },
      },
    });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  it.each(VENDORS)('$host: is waited for as long as it says, and the reply says how long that was', async ({ host, model, waitMs }) => {
    const messages = [{ role: 'user', content: 'Hello there' }];
    const { status, headers, text } = await call('POST /v1/chat/completions', { model, max_tokens: 50, messages });
    expect({ status, text }).toMatchObject({ status: 200 });
    const [refusedAtMs = NaN, takenAtMs = NaN, ...more] = cameAtMs.get(host) ?? [];
    expect(more).toEqual([]);
    // Clocks of two processes, and timers that are early by a millisecond.
    expect(takenAtMs - refusedAtMs).toBeGreaterThan(waitMs - 100);
    expect(Number(headers['x-weir-queued-ms'])).toBeGreaterThan(waitMs - 1_000);
    expect(Number(headers['x-weir-queued-ms'])).toBeLessThan(10_000);
  });
});
