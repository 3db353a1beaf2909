import { readUsage, waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

jest.setTimeout(120_000);

/** As many connections at once, so that each process has some of them. */
const CONNECTIONS = 4;

async function send({ url, apiKey }: Pick<Harness, 'url' | 'apiKey'>, method: string, path: string, body?: object) {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

/** Of as many requests at once as there are connections. */
function askAll(harness: Harness, apiKey: string): Promise<number[]> {
  const body = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
  return Promise.all(
    Array.from(
      { length: CONNECTIONS },
      async () => (await send({ url: harness.url, apiKey }, 'POST', '/v1/chat/completions', body)).status,
    ),
  );
}

async function createKey(harness: Harness, name: string): Promise<{ readonly id: string; readonly apiKey: string }> {
  const { json } = await send(harness, 'POST', '/v1/manage/apikey', { name });
  return { id: String(json['api_key_id']), apiKey: String(json['api_key']) };
}

const count = (statuses: readonly number[]) =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((each) => each === one).length]));

describe.each([
  ['one process', '1'],
  ['several processes', '2'],
])('what management has replied to, in a gateway of %s', (_name, PROCESSES) => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startStandalone({ env: { PROCESSES, npm_lifecycle_event: 'start' } });
  });
  afterAll(() => harness.process.terminate());

  it('holds for every request that begins after it: none of those sent right after the deletion of their key is served', async () => {
    const after: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const { id, apiKey } = await createKey(harness, `deleted ${round}`);
      expect(await askAll(harness, apiKey)).toEqual(Array(CONNECTIONS).fill(200));
      expect((await send(harness, 'DELETE', `/v1/manage/apikey/${id}`)).status).toBe(204);
      after.push(...(await askAll(harness, apiKey)));
    }
    expect(count(after)).toEqual({ 403: 100 * CONNECTIONS });
  });

  it('holds for what a request is booked under, what it may use and how much', async () => {
    const before = (await readUsage(harness)).usage;
    const { id, apiKey } = await createKey(harness, 'relabelled');
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      expect((await send(harness, 'POST', `/v1/manage/apikey/${id}/label`, { labels: { round: String(round) } })).status).toBe(204);
      expect(await askAll(harness, apiKey)).toEqual(Array(CONNECTIONS).fill(200));
    }
    const lists = (await send(harness, 'POST', '/v1/manage/access-list', { name: 'none', chat: ['sandbox/other'] })).json;
    await send(harness, 'POST', `/v1/manage/apikey/${id}/access-list`, { access_list_id: lists['id'] });
    expect(await askAll(harness, apiKey)).toEqual(Array(CONNECTIONS).fill(403));

    const counted = Object.values(before)[0]?.total_requests ?? 0;
    const day = await waitForRequests(harness, counted + rounds * CONNECTIONS, { group_by: 'api_key_label.round', resolution: 'day' });
    const byRound = (day.grouped_data ?? []).flatMap((row) => {
      const value = row.group_by_values['api_key_label.round'];
      return value === 'Unknown' ? [] : [[value, row.total_requests]];
    });
    expect(Object.fromEntries(byRound)).toEqual(
      Object.fromEntries(Array.from({ length: rounds }, (_, round) => [String(round), CONNECTIONS])),
    );
  });
});
