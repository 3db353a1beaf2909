import { OPERATIONS } from '@weir/api-description';
import { getEndpoint } from '@weir/contracts';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { spoilTexts } from './spoil-texts';

type Sent = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

const TITLES = ['a\u0080', '%00', 'é', '\\u0000'];

const VALUES = ['%00', 'a%00b', '%ED%A0%80'];

/** Every endpoint with each of its texts spoilt: in the path, in the query, in a header and in the body. */
function* listRequests(): Generator<Sent> {
  for (const operation of OPERATIONS) {
    const { id, query } = operation;
    const { method, path } = getEndpoint(id);
    const at = { id, method, path: path.replace(/:\w+/g, 'a') };
    for (const value of path.includes(':') ? VALUES : []) yield { ...at, path: path.replace(/:\w+/g, value) };
    for (const name of [...Object.keys(query?.shape ?? {}), 'unknown'])
      for (const value of VALUES) yield { ...at, path: `${at.path}?${name}=${value}` };
    if (method !== 'GET') yield* listBodies(operation, at);
  }
}

function* listBodies({ examples }: (typeof OPERATIONS)[number], at: Sent): Generator<Sent> {
  for (const body of examples.flatMap((example) => (example.body === undefined ? [] : [example.body]))) {
    for (const spoilt of spoilTexts(body)) yield { ...at, body: JSON.stringify(spoilt) };
    for (const title of TITLES) yield { ...at, headers: { 'x-title': title }, body: JSON.stringify(body) };
  }
}

describe('texts with what cannot be kept in them', () => {
  let gateway: Harness;

  beforeAll(async () => {
    gateway = await startStandalone();
  });
  afterAll(() => gateway.process.terminate());

  it('are no failure of any endpoint, wherever they stand', async () => {
    const failed: unknown[] = [];
    let sent = 0;
    for (const { id, method, path, headers, body } of listRequests()) {
      const about = {
        authorization: `Bearer ${gateway.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const reply = await fetch(`${gateway.url}${path}`, { method, headers: about, ...(body === undefined ? {} : { body }) });
      const text = await reply.text();
      sent += 1;
      if (reply.status >= 500) failed.push({ id, method, path, body, status: reply.status, text });
    }
    expect(failed).toEqual([]);
    expect(sent).toBeGreaterThan(1500);
  }, 300_000);

  it('leave the usage of what was served to be counted', async () => {
    const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
    const body = {
      model: 'sandbox/chat',
      messages: [{ role: 'user', content: 'a\0\ud800' }],
      user: 'u\0\ud800',
      weir: { extra: { team: 't\0\ud800' } },
    };
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([200, 400]).toContain(reply.status);
    const good = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'after' }] }),
    });
    const id = good.headers.get('x-request-id') ?? '';
    let status = 0;
    for (let left = 100; left > 0 && status !== 200; left -= 1) {
      status = (await fetch(`${gateway.url}/v1/generation/${id}`, { headers })).status;
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(status).toBe(200);
  });
});
