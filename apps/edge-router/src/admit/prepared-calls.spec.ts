import { createModelGuard, type KeyRecord, type OrganizationRules, type Principal } from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { createLiveCatalog, createPatternMatcher, planVersion } from '@weir/model-catalog';
import type { OwnKey } from '@weir/routing';
import { makeKeyRecord } from '@weir/testing';
import { createDataGuard } from '../data-rules/data-guard';
import { createPreparedCalls, type CallAsk, type PreparedCall } from './prepared-calls';

const NO_RULES: OrganizationRules = { policies: [], aliases: [], guardrails: [], limits: [], credentials: [] };
const catalog = createLiveCatalog();
const KEY: OwnKey = { id: 'c', name: 'ours', providerId: 'openai', mode: 'prefer', modalities: ['chat'], credential: 'sealed' };

describe('prepared calls', () => {
  let rules: OrganizationRules;
  let ownKeys: readonly OwnKey[];
  let configured: Set<string>;
  const open = () => {
    [rules, ownKeys, configured] = [{ ...NO_RULES }, [], new Set(['openai'])];
    return createPreparedCalls({
      rules: { find: () => rules },
      ownKeys: { find: () => ownKeys },
      dataGuard: createDataGuard({ catalog, place: { region: null, addresses: {} } }),
      map: { catalog, isRoutable: (id) => configured.has(id) },
      guard: createModelGuard(createPatternMatcher),
    });
  };
  const ask = (key: KeyRecord, more: Partial<CallAsk> = {}): CallAsk => ({
    principal: { key } as Principal,
    endpoint: getEndpoint('chat-completions'),
    modelId: 'openai/gpt-4o-mini',
    headers: {},
    parsed: { json: {} },
    bodyBytes: 2,
    ...more,
  });
  const find = (calls: ReturnType<typeof open>, asked: CallAsk): PreparedCall => calls.find(asked) as PreparedCall;

  it('are made once for a key, an endpoint and a model, with the same objects for every request', () => {
    const calls = open();
    const key = makeKeyRecord();
    const first = find(calls, ask(key));
    expect(first.attempts.map(({ modelId }) => modelId)).toEqual(['openai/gpt-4o-mini']);
    expect(find(calls, ask(key))).toBe(first);
    expect(find(calls, ask(key, { modelId: 'openai/gpt-4o' }))).not.toBe(first);
    expect(find(calls, ask(key, { endpoint: getEndpoint('messages') }))).not.toBe(first);
    expect(find(calls, ask(makeKeyRecord()))).not.toBe(first);
    expect(find(calls, ask(key))).toBe(first);
  });

  it('are made anew when rules or provider keys were read again', () => {
    const calls = open();
    const key = makeKeyRecord();
    const first = find(calls, ask(key));
    rules = { ...NO_RULES };
    const second = find(calls, ask(key));
    expect(second).not.toBe(first);
    ownKeys = [KEY];
    const third = find(calls, ask(key));
    expect(third.attempts.map(({ isByok }) => isByok)).toEqual([true, false]);
    ownKeys = [KEY];
    expect(find(calls, ask(key))).toBe(third);
    ownKeys = [{ ...KEY }];
    expect(find(calls, ask(key))).not.toBe(third);
  });

  it('are made anew when the catalogue is another, and keep the price that was promised', () => {
    const calls = open();
    const key = makeKeyRecord();
    const first = find(calls, ask(key));
    const record = catalog.find('openai/gpt-4o-mini');
    const price = { version: 'ours', validFrom: '2026-11-01', tiers: [{ threshold: 0, input: '0.000009', output: '0.00001' }] };
    const row = { ...record, id: 'openai/gpt-4o-mini', prices: [...(record?.prices ?? []), price] };
    const document = { models: [row], removed: [], providers: [] };
    const { sheets, digest } = planVersion({ catalog, document, nowMs: Date.now() });
    const [promised] = first.attempts;
    const before = JSON.stringify(promised?.prices);

    catalog.replace({ id: 1, digest, document, sheets });

    const second = find(calls, ask(key));
    expect([second.attempts[0]?.prices.version, JSON.stringify(promised?.prices) === before]).toEqual(['ours', true]);
    expect(find(calls, ask(key))).toBe(second);
  });

  it('of a request with data rules of its own are not those of others', () => {
    const calls = open();
    const key = makeKeyRecord();
    const usual = find(calls, ask(key));
    const strict = find(calls, ask(key, { modelId: 'openai/gpt-4o-mini', headers: { 'x-weir-data-policy': 'no-training' } }));
    expect([usual.ruling.data.isTrainingAllowed, strict.ruling.data.isTrainingAllowed]).toEqual([true, false]);
    expect(find(calls, ask(key))).toBe(usual);
  });

  it('say whether contents are kept: where the organization wants it, of text for a model, and never under zero retention', () => {
    const calls = open();
    const keeps = (settings: Partial<KeyRecord['organization']>, more: Partial<CallAsk> = {}): boolean =>
      find(calls, ask(makeKeyRecord({}, settings), more)).keepsContents;
    const on = { keepContentsDays: 7 };
    expect([keeps({}), keeps({ keepContentsDays: null }), keeps(on)]).toEqual([false, false, true]);
    expect(keeps(on, { endpoint: getEndpoint('messages') })).toBe(true);
    expect(keeps(on, { endpoint: getEndpoint('count-tokens') })).toBe(false);
    configured.add('sandbox');
    const ofZero = { modelId: 'sandbox/chat', headers: { 'x-weir-data-policy': 'zero-retention' } };
    expect([keeps(on, { modelId: 'sandbox/chat' }), keeps(on, ofZero)]).toEqual([true, false]);
    expect(keeps({ ...on, isZeroDataRetention: true }, { modelId: 'sandbox/chat' })).toBe(false);
    expect(keeps(on, { modelId: 'sandbox/embedding', endpoint: getEndpoint('embeddings') })).toBe(true);
    expect(keeps(on, { modelId: 'sandbox/image', endpoint: getEndpoint('image-generations') })).toBe(false);
  });

  it('of a policy are planned for every request', () => {
    const calls = open();
    const document = { strategy: 'weighted', models: [{ model: 'openai/gpt-4o-mini', weight: 1, retries: 0 }] };
    rules = { ...NO_RULES, policies: [{ id: 'policy/p', version: 1, name: 'p', document }] } as unknown as OrganizationRules;
    const key = makeKeyRecord();
    const asked = ask(key, { modelId: 'policy/p' });
    expect(find(calls, asked)).not.toBe(find(calls, asked));
  });

  it('do not remember refusals', () => {
    const calls = open();
    const key = makeKeyRecord();
    configured.clear();
    expect(() => calls.find(ask(key))).toThrow('not set up');
    configured.add('openai');
    expect(find(calls, ask(key)).attempts).toHaveLength(1);
  });
});
