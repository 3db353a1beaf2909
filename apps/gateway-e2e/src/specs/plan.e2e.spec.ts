import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { ANTHROPIC, createRoutes, createRule, OPENAI } from '../harness/create-routes';
import { OVERLOADED, scriptOutages, type Outages } from '../harness/script-outages';
import { startStandalone, type Harness } from '../harness/start-standalone';

const HELLO = [{ role: 'user', content: 'Hello there' }];
const UNKNOWN_KEY = '00000000-0000-4000-8000-000000000000';

type PlannedAttempt = { readonly model: string; readonly health: string; readonly account: string; readonly why: string | null };
type Plan = {
  readonly allowed: boolean;
  readonly model: string | null;
  readonly refusal: { readonly code: string; readonly status: number; readonly message: string } | null;
  readonly attempts: readonly PlannedAttempt[];
  readonly left_out: readonly { readonly model: string; readonly code: string; readonly message: string }[];
  readonly orders: readonly { readonly policy: string; readonly members: readonly { readonly model: string; readonly weight: number }[] }[];
  readonly limits: readonly { readonly scope: string; readonly remaining: string; readonly binds: boolean }[];
  readonly cost_max: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly api_key: { readonly id: string };
};

describe('the plan of a request', () => {
  let upstream: FakeUpstream;
  let outages: Outages;
  let harness: Harness;
  let call: CallHarness;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    outages = scriptOutages(upstream);
    harness = await startStandalone({ env: { ...pointAt(upstream), UPSTREAM_HEADERS_TIMEOUT_MS: '1000' } });
    call = createCallHarness(harness);
    const weighted = {
      name: 'shares',
      strategy: 'weighted',
      models: [
        { model: OPENAI, weight: 3 },
        { model: ANTHROPIC, weight: 1 },
      ],
      sticky_by: 'user_id',
    };
    await createRule(call, '/v1/manage/policy', weighted);
    await createRoutes(call);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const bodyFor = (model: string, more: object = {}) => ({ model, max_tokens: 50, messages: HELLO, ...more });
  const plan = async (body: object, more: object = {}): Promise<Plan> => {
    const reply = await call('POST /v1/plan', { body, ...more });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.json as unknown as Plan;
  };
  const send = (body: object, headers: Record<string, string> = {}): Promise<HarnessReply> =>
    call('POST /v1/chat/completions', body, headers);

  it('goes where requests then go, for every user of a policy that divides them', async () => {
    const served = new Set<string>();
    for (let user = 0; user < 8; user += 1) {
      const body = bodyFor('policy/shares', { user: `user-${user}` });
      const planned = await plan(body);
      const { headers } = await send(body);

      expect(planned.attempts.map(({ model }) => model)).toHaveLength(2);
      expect(headers['x-weir-model']).toBe(planned.attempts[0]?.model);
      served.add(String(headers['x-weir-model']));
    }
    expect(served.size).toBe(2);
    const { orders } = await plan(bodyFor('policy/shares', { user: 'user-0' }));
    expect(orders.map(({ policy }) => policy)).toEqual(['policy/shares']);
    expect(new Map(orders[0]?.members.map(({ model, weight }) => [model, weight]))).toEqual(
      new Map([
        [OPENAI, 3],
        [ANTHROPIC, 1],
      ]),
    );
  });

  it('is refused as the request is, in the same words', async () => {
    const cases: readonly (readonly [object, Record<string, string>])[] = [
      [bodyFor('no/such-model'), {}],
      [bodyFor(OPENAI), { 'x-weir-data-policy': 'zero-retention' }],
      [bodyFor(OPENAI), { 'x-weir-data-policy': 'sometimes' }],
      [bodyFor('policy/shares'), { 'x-weir-data-policy': 'residency=eu' }],
    ];
    for (const [body, headers] of cases) {
      const [planned, sent] = [await plan(body, { headers }), await send(body, headers)];
      const { code, message } = sent.json['error'] as { code: string; message: string };

      expect([planned.allowed, planned.refusal]).toEqual([false, { code, message, status: sent.status }]);
    }
  });

  it('says which members of a policy are left out, and why, and which one is tried last because it fails', async () => {
    const zero = await plan(bodyFor('policy/outer'), { headers: { 'x-weir-data-policy': 'zero-retention' } });
    expect(new Map(zero.left_out.map(({ model, code }) => [model, code]))).toEqual(
      new Map([
        [OPENAI, 'data_policy'],
        [ANTHROPIC, 'data_policy'],
      ]),
    );
    expect(zero.attempts.map(({ model }) => model)).toEqual(['sandbox/chat']);

    expect((await plan(bodyFor('best'))).attempts.map(({ model, health }) => [model, health])).toEqual([
      [ANTHROPIC, 'ready'],
      [OPENAI, 'ready'],
    ]);
    for (let failure = 0; failure < 5; failure += 1) {
      outages.next('/messages', OVERLOADED);
      await send(bodyFor(ANTHROPIC));
    }
    const ejected = await plan(bodyFor('best'));
    expect(ejected.attempts.map(({ model, health }) => [model, health])).toEqual([
      [OPENAI, 'ready'],
      [ANTHROPIC, 'ejected'],
    ]);
    expect((await send(bodyFor('best'))).headers['x-weir-model']).toBe(OPENAI);
  });

  it('is of any key, for administrators; of its own, for every other', async () => {
    const list = (await call('POST /v1/manage/access-list', { name: 'sandbox', chat: ['sandbox/*'] })).json['id'];
    const limited = await call('POST /v1/manage/apikey', { name: 'limited', monthly_limit: 1, access_list_id: list });
    const { api_key_id: id, api_key: secret } = limited.json as { api_key_id: string; api_key: string };
    const own = { authorization: `Bearer ${secret}` };
    const asked = { api_key_id: id, headers: { 'X-Weir-Team': 'red' }, body: bodyFor('policy/outer') };

    const seen = await plan(asked.body, asked);
    expect(seen).toMatchObject({ allowed: true, api_key: { id }, labels: { team: 'red' } });
    expect(new Set(seen.left_out.map(({ code }) => code))).toEqual(new Set(['model_not_allowed']));
    expect(seen.limits).toEqual([expect.objectContaining({ scope: 'api_key', limit: '1', remaining: '1', binds: true })]);
    expect(await plan(bodyFor(OPENAI), { api_key_id: id })).toMatchObject({ allowed: false, refusal: { code: 'model_not_allowed' } });

    const itself = await call('POST /v1/plan', { ...asked, api_key_id: undefined }, own);
    expect(itself.json).toMatchObject({ allowed: true, attempts: seen.attempts });
    const { api_key: other } = (await call('POST /v1/manage/apikey', { name: 'other' })).json as { api_key: string };
    const stranger = { authorization: `Bearer ${other}` };
    expect((await call('POST /v1/plan', asked, stranger)).json).toMatchObject({
      error: { code: 'permission_denied', param: 'api_key_id' },
    });
    expect((await call('POST /v1/plan', { ...asked, api_key_id: UNKNOWN_KEY })).status).toBe(404);

    await call(`DELETE /v1/manage/apikey/${id}`);
    const revoked = await callUntil(
      () => call('POST /v1/plan', asked),
      ({ json }) => json['allowed'] === false,
    );
    expect(revoked.json).toMatchObject({ refusal: { code: 'invalid_credentials', status: 403 }, attempts: [] });
  });

  it('takes nothing and sends nothing: neither money nor a request', async () => {
    const made = await call('POST /v1/manage/apikey', { name: 'counted', monthly_limit: 1 });
    const id = String(made.json['api_key_id']);
    const before = upstream.requests.length;
    for (let time = 0; time < 20; time += 1) await plan(bodyFor(OPENAI), { api_key_id: id });

    const last = await plan(bodyFor(OPENAI), { api_key_id: id });
    expect([last.allowed, last.limits[0]?.remaining]).toEqual([true, '1']);
    expect(Number(last.cost_max)).toBeGreaterThan(0);
    expect(upstream.requests.length).toBe(before);
  });

  it('takes no credentials, and names the field of what it cannot take', async () => {
    const refused = async (body: object) => {
      const { status, json } = await call('POST /v1/plan', body);
      return [status, (json['error'] as { param: string } | undefined)?.param];
    };
    expect(await refused({ body: {}, headers: { Authorization: 'Bearer x' } })).toEqual([400, 'headers.Authorization']);
    expect(await refused({ body: {}, surprise: 1 })).toEqual([400, 'surprise']);
    expect(await refused({ body: {}, endpoint: 'count-tokens' })).toEqual([400, 'endpoint']);
    expect(await refused({})).toEqual([400, 'body']);
    expect(await plan({ messages: HELLO, model: 7 })).toMatchObject({ allowed: false, refusal: { code: 'invalid_request' }, model: null });
  });
});
