import type { KeyLookup, KeyRecord } from '@weir/access';
import { createApiDocument } from '@weir/api-description';
import { createHttpApp } from '@weir/http-server';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AT, makeLimit, openLimitedEdge } from '../admit/__fixtures__/limited-edge';
import { mountLimitsPage } from './mount-limits-page';

const MODEL = 'openai/gpt-4o-mini';
const body = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], user: 'ann' };
type Row = Readonly<Record<string, unknown>>;

const ajv = addFormats(new Ajv2020({ strict: false }));
ajv.addSchema({ $id: 'api', ...createApiDocument() });

/** Other keys of the organization. */
const OTHERS = { mine: randomUUID(), theirs: randomUUID(), noOnes: randomUUID() };

async function read(edge: ReturnType<typeof openLimitedEdge>, query = '') {
  const { parts, store, truth, policy, state } = edge;
  const stores = { store, truth, circuit: state.isAway ? <Result>(call: () => Promise<Result>) => call() : null };
  const keys: KeyLookup = {
    findById: (organizationId, apiKeyId) => {
      const [name, userId] = apiKeyId === OTHERS.mine ? ['second of ann', 'ann'] : ['of bob', 'bob'];
      const found = { ...edge.principal.key, apiKeyId, name, userId };
      return Promise.resolve(apiKeyId === OTHERS.noOnes || organizationId !== found.organizationId ? undefined : found);
    },
  };
  const server = createHttpApp({
    mount: (app) => mountLimitsPage(app, { authenticator: parts.authenticator, keys, deciding: parts, stores, policy }),
    onInternalError: (error) => void process.stderr.write(`${String(error.cause)}\n`),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/limits${query}`);
    const json = (await reply.json()) as { limits: Row[]; model: string | null; error?: { code: string; param: string | null } };
    if (reply.status === 200) {
      const validate = ajv.getSchema('api#/components/schemas/BindingLimits');
      expect([validate?.(json), validate?.errors ?? null]).toEqual([true, null]);
    }
    return { status: reply.status, ...json };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

const LIMITS = [
  makeLimit('tokens', { scope: 'key', measure: 'tokens', amount: '100000', window: '24h' }),
  makeLimit('pictures', { modalities: ['image'], amount: '5', window: 'day' }),
  makeLimit('dear', {
    models: ['openai/gpt-4o'],
    measure: 'usd',
    amount: '2.5',
    window: 'week',
    action: 'fallback',
    fallback_model: MODEL,
  }),
  makeLimit('each user', { scope: 'end_user', amount: '10' }),
  makeLimit('other key', { scope: 'key', api_key_id: 'another', amount: '10' }),
];

describe('the limits of a key', () => {
  it('are its settings and those of the table, with how full they are now', async () => {
    const edge = openLimitedEdge({ limits: LIMITS, key: { monthlyLimitPico: 10n ** 12n, userId: 'u', memberRateLimitRpm: null } });
    const { admission } = await edge.admit({ body: { ...body, user: undefined } });
    const held = admission?.passport.hold?.amounts ?? [];
    const { status, limits, model } = await read(edge);

    expect([status, model]).toEqual([200, null]);
    expect(names(limits)).toEqual(['monthly limit of the key', 'requests to free models', 'tokens', 'pictures', 'dear']);
    expect(limits[0]).toMatchObject({ kind: 'built_in', id: null, scope: 'key', measure: 'usd', window: 'month', limit: '1' });
    expect(limits[0]).toMatchObject({ starts_at: '2026-11-01T00:00:00.000Z', frees_at: '2026-12-01T00:00:00.000Z' });
    expect(limits[1]).toMatchObject({ limit: '1000', used: '7', remaining: '993', frees_at: '2026-11-25T00:00:00.000Z' });
    expect(limits[2]).toMatchObject({ kind: 'limit', about: 'key "test"', limit: '100000', used: held[1], held: held[1] });
    expect(limits[2]).toMatchObject({ remaining: String(100_000 - Number(held[1])), starts_at: '2026-11-23T10:00:00.000Z' });
    expect(limits[4]).toMatchObject({ limit: '2.5', used: '0', action: 'fallback', fallback_model: MODEL, models: ['openai/gpt-4o'] });
  });

  it('start from what was committed before', async () => {
    const edge = openLimitedEdge({ limits: [makeLimit('spend', { measure: 'usd', window: 'month', amount: '1' })] });
    const { limits } = await read(edge);
    expect(limits.at(-1)).toMatchObject({ used: '0' });
    const { limitId, at } = { limitId: String(limits.at(-1)?.['id']), at: Date.UTC(2026, 10, 1) / 1000 };
    edge.state.bases.set(`limit:${limitId}:usd:-:month@${at}`, 1_500_000_000_000n);
    expect((await read(edge)).limits.at(-1)).toMatchObject({ used: '1.5', remaining: '0', held: '0' });
  });

  it('are of one model or one end user where that is asked', async () => {
    const edge = openLimitedEdge({ limits: LIMITS, key: { monthlyLimitPico: 10n ** 12n } });
    expect(names((await read(edge, `?model=${encodeURIComponent(MODEL)}`)).limits)).toEqual(['monthly limit of the key', 'tokens']);
    expect(names((await read(edge, '?model=sandbox/chat-free')).limits)).toEqual(['requests to free models', 'tokens']);
    await edge.admit({ body });
    const of = async (user: string) => (await read(edge, `?user=${user}`)).limits.find(({ name }) => name === 'each user');
    expect([await of('ann'), await of('bob')]).toMatchObject([{ used: '1', about: 'end user "ann"' }, { used: '0' }]);
  });

  it('are those of another key: of the same member, and of any one for administrators', async () => {
    const open = (more: Partial<KeyRecord> = {}) =>
      openLimitedEdge({ limits: LIMITS.slice(0, 1), key: { userId: 'ann', isAdministrator: false, ...more } });
    const ask = (edge: ReturnType<typeof open>, id: string) => read(edge, `?api_key_id=${id}`);
    expect((await ask(open(), OTHERS.mine)).limits.at(-1)).toMatchObject({ name: 'tokens', about: 'key "second of ann"' });
    for (const id of [OTHERS.theirs, OTHERS.noOnes])
      expect(await ask(open(), id)).toMatchObject({ status: 403, error: { code: 'permission_denied', param: 'api_key_id' } });
    const permissions = { manage: 'none', completions: 'write' } as const;
    expect(await ask(open({ isAdministrator: true, permissions }), OTHERS.theirs)).toMatchObject({ status: 403 });
    expect(await ask(open({ userId: null, permissions }), OTHERS.theirs)).toMatchObject({ status: 403 });
    const administrator = open({ isAdministrator: true, permissions: { ...permissions, manage: 'read' } });
    expect((await ask(administrator, OTHERS.theirs)).limits.at(-1)).toMatchObject({ about: 'key "of bob"' });
    expect(await ask(administrator, OTHERS.noOnes)).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect(await ask(administrator, 'mine')).toMatchObject({ status: 400, error: { param: 'api_key_id' } });
  });

  it('name the rate of a member', async () => {
    const { limits } = await read(openLimitedEdge({ limits: [], key: { userId: 'u', memberRateLimitRpm: 60 } }));
    expect(limits[0]).toMatchObject({ scope: 'member', measure: 'requests', window: 'minute', limit: '60', used: null, held: null });
  });

  it('refuse what is no question, and say when the counters are away', async () => {
    const edge = openLimitedEdge({ limits: LIMITS });
    expect(await read(edge, '?month=1')).toMatchObject({ status: 400, error: { code: 'unsupported_field', param: 'month' } });
    expect(await read(edge, '?user=')).toMatchObject({ status: 400, error: { code: 'invalid_request', param: 'user' } });
    expect(await read(edge, '?model=acme/none')).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
    const away = openLimitedEdge({ limits: LIMITS, isAway: true });
    expect(await read(away)).toMatchObject({ status: 503, error: { code: 'dependency_down' } });
  });

  it('are as of the moment they were asked for', async () => {
    expect(await read(openLimitedEdge({ limits: [] }))).toMatchObject({ object: 'limits', as_of: new Date(AT).toISOString(), user: null });
  });
});
