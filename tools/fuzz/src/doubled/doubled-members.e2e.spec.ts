import { OPERATIONS } from '@weir/api-description';
import { getEndpoint } from '@weir/contracts';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { doubleMembers } from './double-members';

/** Every endpoint that takes JSON, with the bodies its description shows. */
const TARGETS = OPERATIONS.flatMap(({ id, examples }) => {
  const row = getEndpoint(id);
  const takesJson = (row.body === 'json' || row.body === 'json-or-form') && row.method !== 'GET';
  if (!takesJson || row.path.includes(':')) return [];
  return examples.filter(({ body }) => body !== undefined).map(({ body }) => ({ id, row, body }));
});

type Refusal = {
  readonly type?: string;
  readonly detail?: string;
  readonly error?: { readonly message?: string; readonly param?: string };
};

describe('bodies with a member that comes twice', () => {
  let gateway: Harness;

  beforeAll(async () => {
    gateway = await startStandalone();
  });
  afterAll(() => gateway.process.terminate());

  it('are refused by every endpoint in its dialect, which names the member, wherever it stands and however it is written', async () => {
    const unexpected: unknown[] = [];
    let sent = 0;
    for (const { id, row, body } of TARGETS) {
      for (const { path, text } of doubleMembers(body)) {
        const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
        const reply = await fetch(`${gateway.url}${row.path}`, { method: row.method, headers, body: text });
        const reported = (await reply.json()) as Refusal;
        sent += 1;
        const isInDialect = row.errorDialect !== 'messages' || reported.type === 'error';
        const isNamed = (reported.error?.message ?? reported.detail)?.includes(`the member ${path} twice`) === true;
        if (reply.status !== 400 || !isNamed || !isInDialect) unexpected.push({ id, path, status: reply.status, reported });
      }
    }
    expect(unexpected).toEqual([]);
    expect(new Set(TARGETS.map(({ id }) => id)).size).toBeGreaterThan(15);
    expect(sent).toBeGreaterThan(300);
  });
});
