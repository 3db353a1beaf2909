import { callUntil, createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Member = { readonly id: string; readonly email: string };

const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello there' }] };
const as = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** An administrator of the organization, one of a group, and two plain members of it, in one organization. */
describe('members of an organization and their keys through the whole gateway', () => {
  let harness: Harness;
  let call: CallHarness;
  let group: string;
  let [gina, mo, ann]: Member[] = [];
  /** Opens the management interface as far as the administrator of the group reaches. */
  let ginaManages: string;
  /** Infer, and were made by the administrator of the group. */
  let [moKey, annKey]: string[] = [];

  const must = async (route: string, body?: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>> => {
    const { status, text, json } = await call(route, body, headers);
    if (status > 299) throw new Error(`${route} answered ${status}: ${text}`);
    return json;
  };
  const addMember = async (email: string): Promise<Member> => {
    const { member } = await must('POST /v1/manage/org/member', { email });
    return { id: (member as { user_id: string }).user_id, email };
  };
  const chat = (key: string): Promise<HarnessReply> => call('POST /v1/chat/completions', CHAT, as(key));
  const codeOf = ({ status, json }: HarnessReply): unknown => [status, (json['error'] as { code?: string } | undefined)?.code];

  beforeAll(async () => {
    harness = await startStandalone();
    call = createCallHarness(harness);
    group = String((await must('POST /v1/manage/group', { name: 'Search', monthly_limit: 1 }))['group_id']);
    [gina, mo, ann] = [await addMember('gina@acme.example'), await addMember('mo@acme.example'), await addMember('ann@acme.example')];
    await must(`POST /v1/manage/group/${group}/member`, { user_id: gina.id, role: 'admin' });
    const manages = { name: 'manages', member_id: gina.id, permissions: { manage: 'write' } };
    ginaManages = String((await must('POST /v1/manage/apikey', manages))['api_key']);
    const makeKey = async ({ id }: Member): Promise<string> => {
      await must(`POST /v1/manage/group/${group}/member`, { user_id: id, role: 'member' }, as(ginaManages));
      return String((await must('POST /v1/manage/apikey', { name: 'laptop', member_id: id }, as(ginaManages)))['api_key']);
    };
    [moKey, annKey] = [await makeKey(mo), await makeKey(ann)];
  });
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
  });

  it('counts what members use towards them, by e-mail address too', async () => {
    for (const key of [moKey, moKey, annKey]) expect((await chat(String(key))).status).toBe(200);

    const entry = await waitForRequests(harness, 3, { group_by: 'member_email' });
    const counted = entry.grouped_data?.map(({ group_by_values: values, total_requests: requests }) => [values['member_email'], requests]);
    expect(new Map(counted as [string, number][])).toEqual(
      new Map([
        ['mo@acme.example', 2],
        ['ann@acme.example', 1],
      ]),
    );
    const ofGroup = await waitForRequests({ ...harness, apiKey: ginaManages }, 3, { group_by: 'member_id' });
    expect(ofGroup.total_requests).toBe(3);
  });

  it('lets the administrator of the group see the group’s keys and none of the organization’s money', async () => {
    const { keys } = (await must('GET /v1/manage/apikey', undefined, as(ginaManages))) as { keys: { created_by: { email: string } }[] };

    expect(keys.map((key) => key.created_by.email).sort()).toEqual(['ann@acme.example', 'gina@acme.example', 'mo@acme.example']);
    for (const route of ['GET /v1/organization/finance', 'GET /v1/manage/balance', 'GET /v1/manage/audit']) {
      expect(codeOf(await call(route, undefined, as(ginaManages)))).toEqual([403, 'permission_denied']);
      expect((await call(route)).status).toBe(200);
    }
  });

  it('holds a member to their rate over all of their keys, and no one else', async () => {
    const second = String((await must('POST /v1/manage/apikey', { name: 'second', member_id: mo?.id, group_id: group }))['api_key']);
    await must(`PUT /v1/manage/group/${group}/member/${mo?.id}/rate-limit`, { rate_limit: 1 }, as(ginaManages));

    await callUntil(
      () => chat(String(moKey)),
      ({ status }) => status === 429,
    );
    expect(
      codeOf(
        await callUntil(
          () => chat(second),
          ({ status }) => status === 429,
        ),
      ),
    ).toEqual([429, 'rate_limited']);
    expect((await chat(String(annKey))).status).toBe(200);
    await must(`PUT /v1/manage/group/${group}/member/${mo?.id}/rate-limit`, { rate_limit: null }, as(ginaManages));
    await callUntil(
      () => chat(String(moKey)),
      ({ status }) => status === 200,
    );
  });

  it('holds a member to their monthly limit, which the administrator of the group sets within the group’s', async () => {
    const path = `PUT /v1/manage/group/${group}/member/${mo?.id}/limit`;

    expect((await call(path, { monthly_limit: 2 }, as(ginaManages))).status).toBe(403);
    await must(path, { monthly_limit: 0.00000001 }, as(ginaManages));
    const refused = await callUntil(
      () => chat(String(moKey)),
      ({ status }) => status === 412,
    );

    expect(codeOf(refused)).toEqual([412, 'monthly_limit_reached']);
    expect((await chat(String(annKey))).status).toBe(200);
  });

  it('ends all keys of a member who is offboarded within seconds, and no one else’s', async () => {
    await must(`DELETE /v1/manage/org/member/${ann?.id}`);

    const refused = await callUntil(
      () => chat(String(annKey)),
      ({ status }) => status === 403,
    );
    expect(codeOf(refused)).toEqual([403, 'invalid_credentials']);
    expect((await call('GET /v1/manage/apikey/self', undefined, as(String(moKey)))).status).toBe(200);
    const { members } = (await must(`GET /v1/manage/group/${group}`))['group'] as { members: { id: string }[] };
    expect(members.map(({ id }) => id)).not.toContain(ann?.id);
  });

  it('keeps its last administrator', async () => {
    const { members } = (await must('GET /v1/manage/org/member')) as { members: { user_id: string; role: string }[] };
    const owner = members.find(({ role }) => role === 'owner');

    expect(codeOf(await call(`DELETE /v1/manage/org/member/${owner?.user_id}`))).toEqual([409, 'last_administrator']);
    expect((await call('GET /v1/manage/org')).status).toBe(200);
  });
});
