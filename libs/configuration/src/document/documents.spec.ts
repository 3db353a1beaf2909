import { checkDocument } from './check-document';
import { resolveSecrets } from './configuration-secrets';
import { mergeDocuments } from './merge-documents';
import { readDocumentText, UnreadableDocument } from './read-document-text';

const head = (name = 'platform') => ({ apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name } });
const problemsOf = async (value: unknown): Promise<string[]> =>
  ((await checkDocument(value)).problems ?? []).map(({ path, message }) => `${path}: ${message}`);

describe('a document', () => {
  it('takes the bodies of the interface with names in place of ids, and fills in what was left out', async () => {
    const { document } = await checkDocument({
      ...head(),
      policies: [{ name: 'p', strategy: 'fallback', models: ['a/b'] }],
      limits: [{ name: 'l', scope: 'group', group: 'research', measure: 'usd', window: 'month', amount: 2 }],
      keys: [{ name: 'k', member: 'Ada@Example.com', group: null }],
      alerts: [{ name: 'a', scope: 'limit', limit: 'l', percentage: 80, channel: 'slack', url: { env: 'HOOK' } }],
    });
    expect(document?.policies?.[0]).toMatchObject({ models: [{ model: 'a/b', weight: 1, retries: 0 }] });
    expect(document?.limits?.[0]).toMatchObject({ group: 'research', amount: '2', action: 'refuse' });
    expect(document?.keys?.[0]).toEqual({ name: 'k', member: 'ada@example.com', group: null });
  });

  it.each([
    [
      { limits: [{ name: 'l', scope: 'key', group: 'g', measure: 'usd', window: 'month', amount: 1 }] },
      'limits.0.group: is not valid: is not for the scope "key"',
    ],
    [
      { alerts: [{ name: 'a', scope: 'key', percentage: 1, url: 'https://example.com' }] },
      'alerts.0.key: is not valid: is needed for the scope "key"',
    ],
    [
      { alerts: [{ name: 'a', scope: 'balance', amount: 1, channel: 'slack', url: 'https://hooks.example.com/T/x' }] },
      'alerts.0.url: is not valid: the address of a Slack channel is a secret: give {env: NAME} or {file: PATH}',
    ],
    [
      { guardrails: [{ name: 'g', detectors: ['card'], action: 'flag', key: 'a', group: 'b' }] },
      'guardrails.0.group: is not valid: give a key or a group, not both',
    ],
    [{ keys: [{ name: 'k', api_key: 'weir_live_x' }] }, 'keys.0.api_key: there is no such field'],
    [
      { provider_accounts: {} },
      'provider_accounts: this is about the whole gateway, not about an organization: it stands in a document of the kind ProviderAccounts, which its operator applies',
    ],
    [
      { provider_credentials: [{ provider: 'bedrock', fields: { region: 'eu-west-1', secret_access_key: 'plain' } }] },
      'provider_credentials.0.fields.secret_access_key: is not valid: a secret does not stand in the document: give {env: NAME} or {file: PATH}',
    ],
  ])('with %j says %s', async (sections, problem) => {
    expect(await problemsOf({ ...head(), ...sections })).toEqual([problem]);
  });

  it('is an object, of a version that is known', async () => {
    expect((await problemsOf('text'))[0]).toContain('must be an object');
    expect(await problemsOf({ ...head(), apiVersion: 'weir/v2' })).toEqual(['apiVersion: must be "weir/v1"']);
    expect(await problemsOf({ ...head(), kind: 'Catalog' })).toEqual([expect.stringMatching(/^kind: .*`weir apply`/)]);
  });
});

describe('the text of a document', () => {
  it('may hold several, and is YAML without surprises', () => {
    expect(readDocumentText('a: no\nb: 2026-01-01\n---\n{"c": 1}\n---\n')).toEqual([{ a: 'no', b: '2026-01-01' }, { c: 1 }]);
  });

  it.each(['a: [', 'a: 1\na: 2', 'a: !!js/function x', 'a: *missing'])('is refused as %j, with a place and no more of it', (text) => {
    expect(() => readDocumentText(text)).toThrow(UnreadableDocument);
    expect(() => readDocumentText(text)).toThrow(/line 1|line 2|alias/i);
  });
});

describe('a document of aliases', () => {
  it.each(['a: &a [*a]', '&a {b: *a}', 'a: &a\n  b: &b [*a]\n  c: *b', 'groups: &g [{members: *g}]'])(
    'that holds itself is refused: %j',
    (text) => {
      expect(() => readDocumentText(text)).toThrow(/a document cannot hold itself/);
      expect(() => readDocumentText(text)).toThrow(UnreadableDocument);
    },
  );

  it('that stand beside one another is taken', () => {
    expect(readDocumentText('a: &a [1]\nb: *a\nc: [*a, *a]')).toEqual([{ a: [1], b: [1], c: [[1], [1]] }]);
  });

  it('that grow into a large one is refused', () => {
    const lines = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 8 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
    ];
    expect(() => readDocumentText(lines.join('\n'))).toThrow(UnreadableDocument);
  });
});

describe('several documents', () => {
  it('of one configuration are joined', () => {
    const parts = [
      { ...head(), groups: [{ name: 'a' }], settings: { tier: 'free' } },
      { ...head(), groups: [{ name: 'b' }], settings: { strict_access: true } },
    ];
    const { value, problems } = mergeDocuments(parts.map((part, index) => ({ source: `${index}.yaml`, value: part })));
    expect([value, problems]).toEqual([
      { ...head(), groups: [{ name: 'a' }, { name: 'b' }], settings: { tier: 'free', strict_access: true } },
      [],
    ]);
  });

  it('of two configurations or kinds, or that say a setting twice, are not', () => {
    const [free, paying] = ['free', 'paying'].map((tier) => ({ ...head(), settings: { tier } }));
    const parts = [free, paying, head('other'), 'text', { ...head(), kind: 'Catalog' }];
    const { problems } = mergeDocuments(parts.map((value, index) => ({ source: `${index}.yaml`, value })));
    expect(problems.map(({ path }) => path)).toEqual(['1.yaml', '2.yaml', '3.yaml', '4.yaml']);
  });
});

it('secrets are put in place of references, and nothing else is looked at', async () => {
  const document = {
    keys: [{ name: 'k', labels: { env: 'ci' } }],
    alerts: [{ url: { env: 'HOOK' } }, { url: 'https://example.com' }],
    provider_credentials: [{ api_key: { file: 'key' } }, { fields: { region: 'eu', secret: { env: 'NOT_SET' } } }],
  };
  const resolved = await resolveSecrets(document, ({ env, file }, path) =>
    Promise.resolve(env === 'NOT_SET' ? undefined : `${env ?? file ?? ''} at ${path}`),
  );
  expect(resolved).toEqual({
    keys: document.keys,
    alerts: [{ url: { value: 'HOOK at alerts.0.url' } }, { url: 'https://example.com' }],
    provider_credentials: [{ api_key: { value: 'key at provider_credentials.0.api_key' } }, document.provider_credentials[1]],
  });
});
