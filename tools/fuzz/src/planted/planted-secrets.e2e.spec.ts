import { OPERATIONS } from '@weir/api-description';
import { getEndpoint } from '@weir/contracts';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { plantSecrets } from '@weir/testing';

const MAIL = 'jane.doe@example.com';

/** What goes to no provider: the gateway’s own object, and what stands beside the address of a picture. */
const NOT_SENT = /^\.(?:weir|requesty)|^\.images\[\d+\]\.x_new/;

/** Every endpoint whose body reaches a provider, with the bodies its description shows. */
const TARGETS = OPERATIONS.flatMap(({ id, examples }) => {
  const row = getEndpoint(id);
  const isSent = row.modality !== undefined && row.method === 'POST' && (row.body === 'json' || row.body === 'json-or-form');
  if (!isSent || id === 'estimate') return [];
  return examples.filter(({ body }) => body !== undefined).map(({ body }) => ({ id, row, body: body as object }));
});

describe('bodies with a secret in one place', () => {
  let gateway: Harness;
  beforeAll(async () => {
    gateway = await startStandalone();
  });
  afterAll(() => gateway.process.terminate());

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('are refused by every endpoint under a guardrail that blocks, wherever the secret stands', async () => {
    const guardrail = { name: 'no mail', detectors: ['email'], action: 'block', stage: 'input', on_error: 'closed' };
    expect((await post('/v1/manage/guardrail', guardrail)).status).toBe(201);
    const probe = { model: 'sandbox/chat', messages: [{ role: 'user', content: MAIL }] };
    let status = 0;
    for (let tries = 0; tries < 200 && status !== 403; tries += 1) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      const reply = await post('/v1/chat/completions', probe);
      await reply.arrayBuffer();
      ({ status } = reply);
    }
    const passed: unknown[] = [];
    let sent = 0;
    for (const { id, row, body } of TARGETS) {
      for (const { path, kind, body: spoilt } of plantSecrets(body, MAIL)) {
        if (NOT_SENT.test(path)) continue;
        const reply = await post(row.path, spoilt);
        await reply.arrayBuffer();
        sent += 1;
        if (![400, 403, 404].includes(reply.status)) passed.push({ id, kind, path, status: reply.status });
      }
    }
    expect(passed).toEqual([]);
    expect(new Set(TARGETS.map(({ id }) => id)).size).toBeGreaterThan(5);
    expect(sent).toBeGreaterThan(100);
  });
});
