import { getEndpoint, type LimitDocument } from '@weir/contracts';
import { encodeError, GatewayError } from '@weir/errors';
import { AT, makeLimit, openLimitedEdge } from './__fixtures__/limited-edge';
import { decideRequest } from './decide-request';

const DEAR = 'openai/gpt-4o';
const CHEAP = 'openai/gpt-4o-mini';
const messages = [{ role: 'user', content: 'hi' }];
const body = { model: DEAR, max_tokens: 100, messages };
const SECONDS_LEFT = 45;

describe('requests that limits of the table bind', () => {
  it('are held in every scope in the unit of its measure, and workers know of them', async () => {
    const limits = [
      makeLimit('requests', { scope: 'key', amount: '5' }),
      makeLimit('tokens', { measure: 'tokens', window: 'day', amount: '100000' }),
      makeLimit('spend', { measure: 'usd', window: 'month', amount: '2' }),
      makeLimit('at a time', { measure: 'concurrent_requests', window: undefined as never, amount: '3' }),
    ];
    const edge = openLimitedEdge({ limits, key: { monthlyLimitPico: 10n ** 12n } });
    const { admission } = await edge.admit({ body });
    const hold = admission?.passport.hold;
    const prompt = hold?.bounds[0]?.promptTokens ?? 0;

    expect(hold?.scopes.map((scope) => scope.replace(/[0-9a-f-]{36}/, 'ID').split('@')[0])).toEqual([
      'key:key:2026-11',
      'limit:ID:requests:key:minute',
      'limit:ID:tokens:-:day',
      'limit:ID:usd:-:month',
      'limit:ID:concurrent_requests:-:now',
    ]);
    expect(hold?.amounts).toEqual([hold?.reservedPico, '1', String(prompt + 100), hold?.reservedPico, '1']);
    expect(hold?.uncounted).toBeUndefined();
    expect(admission?.passport.needs).toEqual(['limits']);
  });

  it('are none that count tokens only, and their passports and headers are as without limits where none binds', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('one', { amount: '1', models: ['anthropic/*'] })] });
    const other = await edge.admit({ body });
    expect([other.admission?.passport.hold, other.admission?.passport.needs, other.headers]).toEqual([null, undefined, {}]);
    const counting = openLimitedEdge({ limits: [makeLimit('one', { amount: '1' })] });
    for (let times = 0; times < 3; times += 1) {
      const { admission } = await counting.admit({ endpoint: 'count-tokens', body: { model: DEAR, messages } });
      expect(admission?.passport.hold).toBeNull();
    }
  });

  it('are those to free models too', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('one', { amount: '1' })] });
    expect((await edge.admit({ body: { ...body, model: 'sandbox/chat-free' } })).admission?.passport.hold?.amounts).toEqual(['1']);
    expect((await edge.admit({ body: { ...body, model: 'sandbox/chat-free' } })).refusal).toMatchObject({ code: 'rate_limited' });
  });

  it('count by end user where a limit says so, and not without one', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('each user', { scope: 'end_user', amount: '1' })] });
    const ask = async (user?: string) => (await edge.admit({ body: { ...body, user } })).refusal?.message ?? 'served';
    expect([await ask('ann'), await ask('bob'), await ask(), await ask()]).toEqual(['served', 'served', 'served', 'served']);
    expect(await ask('ann')).toContain('The limit "each user" of end user "ann" (1 requests a minute) does not cover this request');
  });

  it('let no request go on, limited or not, once another process may count them', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('one', { amount: '5', models: ['anthropic/*'] })] });
    let isOwned = true;
    const checkCounters = (): void => {
      if (!isOwned) throw new GatewayError('dependency_down', 'Another gateway counts limits.', { retryAfterSeconds: 2 });
    };
    Object.assign(edge.parts, { checkCounters });
    expect((await edge.admit({ body })).refusal).toBeNull();
    isOwned = false;
    const { admission, refusal } = await edge.admit({ body });
    expect(admission).toBeNull();
    expect(refusal).toMatchObject({ code: 'dependency_down', status: 503, details: { retryAfterSeconds: 2 } });
  });

  it('are refused where a limit cannot be read here: it is not lifted in silence', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('of a later version', { measure: 'carbon' as never })] });
    expect((await edge.admit({ body })).refusal).toMatchObject({ code: 'dependency_down' });
    const spoilt = openLimitedEdge({ limits: [makeLimit('spoilt', { amount: 'many' })] });
    expect((await spoilt.admit({ body })).refusal).toMatchObject({ code: 'dependency_down' });
  });
});

describe('refusals', () => {
  const refuse = async (document: Partial<LimitDocument>, more: { endpoint?: 'messages' } = {}) => {
    const edge = openLimitedEdge({ limits: [makeLimit('L', { scope: 'key', ...document })] });
    const served = await edge.admit({ ...more, body });
    expect(served.refusal).toBeNull();
    return edge.admit({ ...more, body });
  };
  const seen = ({ code, status, details, shouldRetry }: GatewayError) => [
    `${status} ${code}`,
    details.retryAfterSeconds ?? null,
    shouldRetry,
    details.limit?.frees_at ?? null,
  ];

  it.each([
    ['requests', 'minute', '1', ['429 rate_limited', SECONDS_LEFT, true, '2026-11-24T10:31:00.000Z']],
    ['requests', 'hour', '1', ['429 rate_limited', 1785, false, '2026-11-24T11:00:00.000Z']],
    ['tokens', 'day', '700', ['429 rate_limited', 48585, false, '2026-11-25T00:00:00.000Z']],
    ['input_tokens', '24h', '400', ['429 rate_limited', 1785, false, '2026-11-24T11:00:00.000Z']],
    ['output_tokens', 'week', '150', ['412 limit_reached', null, false, '2026-11-30T00:00:00.000Z']],
    ['requests', 'month', '1', ['412 limit_reached', null, false, '2026-12-01T00:00:00.000Z']],
    ['tokens', 'total', '700', ['412 limit_reached', null, false, null]],
    ['usd', 'minute', '0.002', ['429 rate_limited', SECONDS_LEFT, true, '2026-11-24T10:31:00.000Z']],
    ['usd', 'month', '0.002', ['412 monthly_limit_reached', null, false, '2026-12-01T00:00:00.000Z']],
    ['usd', '30d', '0.002', ['412 monthly_limit_reached', null, false, '2026-11-25T00:00:00.000Z']],
    ['usd', 'total', '0.002', ['412 limit_reached', null, false, null]],
    ['concurrent_requests', undefined, '1', ['429 rate_limited', 1, true, null]],
  ] as const)('by %s in a %s', async (measure, window, amount, expected) => {
    const { refusal } = await refuse({ measure, window: window as never, amount });
    expect(seen(refusal as GatewayError)).toEqual(expected);
  });

  it('name scope, measure, window, what is used and when it frees, in the words and members of every dialect', async () => {
    const { refusal } = await refuse({ measure: 'tokens', window: 'minute', amount: '700' });
    const error = refusal as GatewayError;
    expect(error.message).toMatch(
      /^The limit "L" of key "test" \(700 tokens a minute\) does not cover this request: (\d+) used or set aside, \d+ left, and the request may use up to \1\. It begins to free at 2026-11-24T10:31:00\.000Z\.$/,
    );
    const limit = { name: 'L', scope: 'key', measure: 'tokens', window: 'minute', limit: '700', frees_at: '2026-11-24T10:31:00.000Z' };
    for (const dialect of ['gateway', 'messages'] as const) {
      const { body: text, headers } = encodeError(error, dialect, 'r');
      expect(JSON.parse(text)).toMatchObject({ error: { type: 'rate_limit_error', limit } });
      expect(headers['retry-after']).toBe(String(SECONDS_LEFT));
    }
  });

  it('by settings say the same of themselves', async () => {
    const edge = openLimitedEdge({ limits: [], key: { monthlyLimitPico: 1n } });
    const { refusal } = await edge.admit({ body });
    expect(refusal?.details.limit).toMatchObject({
      ...{ id: null, name: 'monthly limit of the key', scope: 'key', measure: 'usd', window: 'month' },
      ...{ limit: '0.000000000001', used: '0', remaining: '0.000000000001', frees_at: '2026-12-01T00:00:00.000Z' },
    });
  });
});

describe('headers', () => {
  const limits = [
    makeLimit('wide', { amount: '100', window: 'hour' }),
    makeLimit('narrow', { amount: '3' }),
    makeLimit('month', { amount: '2', window: 'month' }),
    makeLimit('in', { measure: 'input_tokens', amount: '10000' }),
    makeLimit('alert', { measure: 'output_tokens', amount: '1', action: 'alert' }),
  ];

  it('show what is left of the tightest limit, in the words of each dialect', async () => {
    const chat = (await openLimitedEdge({ limits }).admit({ body })).headers;
    expect(chat).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '45s',
      'x-ratelimit-limit-tokens': '10000',
      'x-ratelimit-reset-tokens': '45s',
    });
    const anthropic = (await openLimitedEdge({ limits }).admit({ endpoint: 'messages', body })).headers;
    expect(Object.keys(anthropic).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    expect(anthropic).toMatchObject({
      'anthropic-ratelimit-requests-limit': '3',
      'anthropic-ratelimit-requests-remaining': '2',
      'anthropic-ratelimit-requests-reset': '2026-11-24T10:31:00.000Z',
      'anthropic-ratelimit-input-tokens-limit': '10000',
    });
    expect(anthropic['anthropic-ratelimit-output-tokens-limit']).toBeUndefined();
  });

  it('show of a refusal what refused it', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('one', { amount: '1' })] });
    await edge.admit({ body });
    const { refusal, headers } = await edge.admit({ body });
    expect(refusal?.code).toBe('rate_limited');
    expect(headers).toEqual({
      'x-ratelimit-limit-requests': '1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '45s',
    });
  });
});

describe('a limit that falls back', () => {
  const first = (more: Partial<LimitDocument> = {}) =>
    makeLimit('dear', { models: [DEAR], amount: '1', action: 'fallback', fallback_model: CHEAP, ...more });

  it('sends what does not fit to the model that it names, and says so', async () => {
    const edge = openLimitedEdge({ limits: [first()] });
    expect((await edge.admit({ body })).headers['x-weir-fallback-model']).toBeUndefined();
    const { admission, headers } = await edge.admit({ body });
    expect(headers['x-weir-fallback-model']).toBe(CHEAP);
    expect(admission?.passport).toMatchObject({
      modelRequested: DEAR,
      attempts: [{ modelId: CHEAP, why: `limit "dear" is full: falls back to "${CHEAP}"` }],
      // The other model is none that the limit counts.
      hold: null,
    });
    expect(edge.state.outcomes).toEqual(['held', 'fallback']);
  });

  it('only counts what it sent away, where it counts the other model as well', async () => {
    const edge = openLimitedEdge({ limits: [first({ models: ['openai/*'] })] });
    for (let times = 0; times < 3; times += 1) expect((await edge.admit({ body })).refusal).toBeNull();
    const [scope = ''] = (await edge.admit({ body })).admission?.passport.hold?.scopes ?? [];
    expect(await edge.store.readTaken('org', [scope])).toEqual(new Map([[scope, 4n]]));
  });

  it.each([
    ['is not there', {}, 'acme/unknown', /Its fallback model "acme\/unknown" cannot take the request either: /],
    ['may not be used', { keyAccessList: { chat: [DEAR], embedding: [], image: [], speech: [], transcription: [] } }, CHEAP, /either: /],
  ])('refuses as it is where the other model %s', async (_, key, fallbackModel, message) => {
    const edge = openLimitedEdge({ limits: [first({ fallback_model: fallbackModel })], key });
    await edge.admit({ body });
    const { refusal, headers } = await edge.admit({ body });
    expect(refusal).toMatchObject({ code: 'rate_limited', details: { limit: { name: 'dear' } } });
    expect(refusal?.message).toMatch(message);
    expect(headers['x-weir-fallback-model']).toBeUndefined();
  });

  it('refuses as it is where another limit refuses the other model; once is enough', async () => {
    const second = makeLimit('cheap', { models: [CHEAP], amount: '1', action: 'fallback', fallback_model: 'sandbox/chat' });
    const edge = openLimitedEdge({ limits: [first(), second] });
    await edge.admit({ body });
    await edge.admit({ body });
    const { refusal } = await edge.admit({ body });
    expect(refusal?.message).toMatch(/^The limit "dear".* cannot take the request either: The limit "cheap"/);
  });

  it('is shown by plans and estimates, which take nothing', async () => {
    const edge = openLimitedEdge({ limits: [first()] });
    const decide = () => {
      const asked = { principal: edge.principal, endpoint: getEndpoint('chat-completions'), headers: {}, bodyBytes: 90, atMs: AT };
      return decideRequest({ ...asked, parsed: { text: JSON.stringify(body), json: body } }, edge.parts);
    };
    expect(await decide()).toMatchObject({ fallbackModel: null, refusal: null });
    await edge.admit({ body });
    expect(await decide()).toMatchObject({ modelId: DEAR, fallbackModel: CHEAP, refusal: null, places: [{ plan: { modelId: CHEAP } }] });
    expect((await edge.admit({ body })).refusal).toBeNull();
  });
});

describe('limits of several models', () => {
  it('hold what their models can use, and name to workers the attempts that they do not count', async () => {
    const limits = [makeLimit('mini', { models: [CHEAP], measure: 'usd', window: 'day', amount: '5' }), makeLimit('all', { amount: '9' })];
    const models = [DEAR, CHEAP].map((model) => ({ model, weight: 1, retries: 0 }));
    const both = { id: 'p', name: 'both', version: 1, document: { strategy: 'fallback', models } };
    const edge = openLimitedEdge({ limits, policies: [both] });
    const alone = await edge.admit({ body: { ...body, model: CHEAP } });
    const { admission } = await edge.admit({ body: { ...body, model: 'policy/both' } });
    const cheapest = Number(alone.admission?.passport.hold?.amounts?.[0]);
    expect(admission?.passport.hold).toMatchObject({ uncounted: [[0], []], amounts: [expect.any(String), '1'] });
    // The name of the policy is a little longer than that of the model.
    expect(Number(admission?.passport.hold?.amounts?.[0])).toBeLessThan(cheapest * 1.05);
    expect(Number(admission?.passport.hold?.reservedPico)).toBeGreaterThan(cheapest * 5);
  });
});

describe('shortened replies', () => {
  it.each(['output_tokens', 'tokens'] as const)('fit what is left of %s', async (measure) => {
    const organization = { isClampedToLimit: true };
    const probe = await openLimitedEdge({ limits: [makeLimit('T', { measure, amount: '1000000' })] }).admit({ body });
    const whole = Number(probe.admission?.passport.hold?.amounts?.[0]);
    const edge = openLimitedEdge({ limits: [makeLimit('T', { measure, amount: String(whole * 2 - 60) })], organization });
    await edge.admit({ body });
    const { admission, headers } = await edge.admit({ body });
    expect(headers['x-weir-max-tokens-clamped']).toBe('40');
    expect(admission?.passport.hold).toMatchObject({ amounts: [String(whole - 60)], bounds: [{ outputTokens: 40 }] });
    expect(JSON.parse(String(admission?.body))).toMatchObject({ max_tokens: 40 });
    expect((await edge.admit({ body })).refusal).toMatchObject({ code: 'rate_limited' });
  });
});

describe('while the counters are away', () => {
  const limits = [makeLimit('r', { amount: '5' })];
  const alert = [makeLimit('a', { amount: '5', action: 'alert' })];
  const outcome = async (setting: Parameters<typeof openLimitedEdge>[0]) => {
    const edge = openLimitedEdge({ ...setting, isAway: true });
    const { admission, refusal, headers } = await edge.admit({ body });
    return [refusal?.code ?? admission?.passport.hold?.isLeased, headers['x-weir-limits-unavailable'], edge.state.outcomes];
  };

  it('what a limit could refuse goes by the policy, and what is only counted goes on', async () => {
    expect(await outcome({ limits })).toEqual(['dependency_down', 'deny', ['deny']]);
    expect(await outcome({ limits, organization: { limitsUnavailable: 'allow' } })).toEqual([true, 'allow', ['allow']]);
    expect(await outcome({ limits: alert, organization: { limitsUnavailable: 'deny' } })).toEqual([true, undefined, []]);
    expect(await outcome({ limits: alert, key: { monthlyLimitPico: 10n ** 12n } })).toEqual(['dependency_down', 'deny', ['deny']]);
  });
});
