import { readUsage } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';
import { waitUntil } from '@weir/testing';

let harness: Harness;
beforeAll(async () => {
  harness = await startStandalone();
});
afterAll(() => harness.process.terminate());

async function send(method: string, path: string, body?: object, apiKey = harness.apiKey) {
  const reply = await fetch(`${harness.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    id: reply.headers.get('x-request-id'),
    json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

type Listed = {
  readonly request_id: string;
  readonly api_key: { readonly id: string; readonly name: string };
  readonly status: number;
  readonly code: string;
  readonly model: string;
  readonly limit: { readonly name: string } | null;
};
const list = async (query = ''): Promise<Listed[]> => (await send('GET', `/v1/manage/refusal${query}`)).json['refusals'] as Listed[];

it('lists requests that were refused: who asked, why, and by which limit; none of them is in usage', async () => {
  const made = (await send('POST', '/v1/manage/apikey', { name: 'small', monthly_limit: 0.000000001 })).json;
  const chat = (model: string) =>
    send('POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'a secret word' }] }, String(made['api_key']));
  const limited = await chat('sandbox/chat');
  const unknown = await chat('acme/nothing');
  expect([limited.status, unknown.status]).toEqual([412, 404]);

  await waitUntil('both are listed', async () => (await list()).length === 2);
  const [latest, first] = await list();
  expect(first).toMatchObject({
    request_id: limited.id,
    status: 412,
    model: 'sandbox/chat',
    api_key: { id: made['api_key_id'], name: 'small' },
  });
  expect(first?.limit).toMatchObject({ scope: 'key', measure: 'usd' });
  expect(latest).toMatchObject({ request_id: unknown.id, status: 404, model: 'acme/nothing', limit: null });
  expect(JSON.stringify(await list())).not.toContain('secret word');
  expect(await list(`?code=${String(first?.code)}&limit=1`)).toEqual([first]);
  expect((await readUsage(harness)).usage).toEqual({});
});
