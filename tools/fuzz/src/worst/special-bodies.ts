import { EXAMPLE_IDS } from '@weir/api-description';

type Special = { readonly about: string; readonly body: unknown };

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

function times<One>(count: number, make: (index: number) => One): One[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
}

function patch(about: string, operations: unknown[]): Special {
  return { about, body: { schemas: [PATCH], Operations: operations } };
}

const terms = (count: number, word: 'and' | 'or'): string => times(count, (index) => `value eq "${index}"`).join(` ${word} `);
const emails = times(100, (index) => ({ value: `p${index}@example.com`, type: 'work', primary: index === 0 }));

function* listPatches(): Generator<Special> {
  yield patch('1000 filters of many terms over 100 elements', [
    { op: 'add', path: 'emails', value: emails },
    ...times(999, () => ({ op: 'replace', path: `emails[${terms(150, 'or')}].display`, value: 'x' })),
  ]);
  yield patch(
    '1000 additions of 100 elements',
    times(1000, (at) => ({ op: 'add', path: 'phoneNumbers', value: times(60, (index) => ({ value: `${at}.${index}` })) })),
  );
  yield patch('1000 replacements of 100 elements', [
    { op: 'add', path: 'emails', value: emails },
    ...times(999, (at) => ({ op: 'replace', path: 'emails[type eq "work"].primary', value: at % 2 === 0 })),
  ]);
  yield patch('a value of many names', [{ op: 'replace', value: Object.fromEntries(times(50_000, (index) => [`n${index}`, 'x'])) }]);
  yield patch(
    'operations of many names',
    times(1000, () => ({ op: 'replace', value: Object.fromEntries(times(200, (index) => [`n${index}`, 1])) })),
  );
  yield patch('many members', [{ op: 'add', path: 'members', value: times(60_000, (index) => ({ value: idOf(index) })) }]);
  yield patch(
    '1000 times many members',
    times(1000, (at) => ({ op: 'add', path: 'members', value: times(70, (index) => ({ value: idOf(at * 70 + index) })) })),
  );
  yield patch('many members, and 900 taken out one by one', [
    { op: 'add', path: 'members', value: times(50_000, (index) => ({ value: idOf(index) })) },
    ...times(900, (index) => ({ op: 'remove', path: `members[value eq "${idOf(index)}"]` })),
  ]);
  yield patch('many members that are alike', [
    { op: 'add', path: 'members', value: times(30_000, () => ({ value: idOf(1), type: 'a' })) },
    { op: 'add', path: 'members', value: times(30_000, () => ({ value: idOf(1), type: 'b' })) },
  ]);
  yield patch('a path of parentheses', [{ op: 'remove', path: `emails[${'('.repeat(1900)}value pr${')'.repeat(1900)}]` }]);
}

function* listSearches(): Generator<Special> {
  for (const filter of [
    terms(400, 'or'),
    terms(400, 'and'),
    '('.repeat(10_000),
    `${'not ('.repeat(2000)}userName pr${')'.repeat(2000)}`,
    'a'.repeat(100_000),
    `userName eq "${'a'.repeat(100_000)}"`,
    `userName eq "${'\\u0061'.repeat(600_000)}"`,
  ])
    yield { about: `a filter as ${filter.slice(0, 20)} of ${filter.length}`, body: { schemas: [SEARCH], filter, count: 200 } };
  const names = times(100_000, (index) => `n${index}`);
  yield { about: 'many attributes', body: { schemas: [SEARCH], attributes: names } };
  yield { about: 'many attributes left out', body: { schemas: [SEARCH], excludedAttributes: times(3000, (index) => `emails.n${index}`) } };
}

const HEAD = { apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name: 'worst' } };
const pattern = (index: number): string => `x${index}${'[a-y]?'.repeat(2)}${'a-'.repeat(110)}`;

/** A document of a thousand objects of each kind. */
function* listDocuments(): Generator<Special> {
  const sections = {
    members: times(1000, (index) => ({ email: `p${index}@example.com` })),
    groups: times(1000, (index) => ({ name: `g${index}`, labels: { a: 'b' }, members: [{ email: `p${index}@example.com` }] })),
    keys: times(1000, (index) => ({ name: `k${index}`, group: `g${index}` })),
    policies: times(1000, (index) => ({ name: `p${index}`, strategy: 'fallback', models: times(32, () => 'sandbox/chat') })),
    aliases: times(1000, (index) => ({ name: `a${index}`, model: 'sandbox/chat' })),
    access_lists: times(10, (index) => ({ name: `l${index}`, chat: times(5000, (at) => `vendor/*${at}*model*`) })),
    guardrails: times(1000, (index) => ({
      name: `r${index}`,
      action: 'flag',
      detectors: times(10, (at) => ({ name: `d${at}`, pattern: pattern(at) })),
    })),
    limits: times(1000, (index) => ({
      name: `l${index}`,
      scope: 'organization',
      measure: 'usd',
      window: 'month',
      amount: 2,
      models: times(50, (at) => `v/*${at}`),
    })),
    alerts: times(1000, (index) => ({ name: `a${index}`, scope: 'balance', amount: 1, url: 'https://example.com/x' })),
    provider_credentials: times(1000, (index) => ({ provider: 'openai', name: `c${index}`, api_key: { env: 'X' } })),
  };
  for (const [section, objects] of Object.entries(sections)) {
    const fitting = objects.slice(0, Math.floor((3_900_000 / JSON.stringify(objects).length) * objects.length));
    yield { about: `many ${section}`, body: { ...HEAD, [section]: fitting } };
  }
  yield {
    about: 'many of everything',
    body: {
      ...HEAD,
      ...Object.fromEntries(Object.entries(sections).map(([name, objects]) => [name, (objects as unknown[]).slice(0, 200)])),
      guardrails: [],
    },
  };
  yield {
    about: 'many with something wrong',
    body: {
      ...HEAD,
      keys: times(1000, () => ({ nome: 1 })),
      limits: times(1000, () => ({})),
      alerts: times(1000, () => ({ scope: 'balance', url: 1 })),
    },
  };
  yield { about: 'sections that no one knows', body: { ...HEAD, ...Object.fromEntries(times(50_000, (index) => [`s${index}`, []])) } };
}

function* listPreviews(): Generator<Special> {
  const chat = (make: (index: number) => string, count = 3000): Special['body'] =>
    Object.fromEntries(['chat', 'embedding', 'image', 'transcription', 'speech'].map((modality) => [modality, times(count, make)]));
  yield { about: '5 × 500 globs', body: chat((index) => `*${index}*a*b*c`, 500) };
  yield { about: '5 × 500 globs that nearly fit', body: chat((index) => `${'*a'.repeat(60)}*${index}`, 500) };
  yield { about: '5 × 3000 globs', body: chat((index) => `*${index}*a*b*c`) };
  yield { about: '5 × 3000 globs of everything', body: chat((index) => `*/*${'*'.repeat(index % 200)}`) };
  yield { about: '5 × 5000 globs that nearly fit', body: chat((index) => `${'*a'.repeat(60)}*${index}`, 5000) };
  yield { about: '5 × 5000 names that nearly fit', body: chat((index) => `openai/gpt-${index}`, 5000) };
  yield { about: '5 × 5000 bare names', body: chat((index) => `gpt-4o${' '.repeat(index % 200)}`, 5000) };
}

function* listGuardrails(isTest: boolean): Generator<Special> {
  const wrap = (detectors: unknown[]): unknown =>
    isTest ? { text: 'a'.repeat(20_000), guardrail: { action: 'mask', detectors } } : { name: 'r', action: 'mask', detectors };
  for (const filler of ['a?', '(', 'a|', '[ab]', '(?:a)', 'a-', '\\p{Lu}', '\\u{1F600}', 'a{9}', '^', '(?<n>a)', '\\b'])
    for (const length of [250, 16_000])
      yield {
        about: `a pattern of ${length} × ${filler}`,
        body: wrap([{ name: 'n', pattern: `x${filler.repeat(Math.ceil(length / filler.length)).slice(0, length)}` }]),
      };
  yield { about: 'many patterns', body: wrap(times(10_000, (index) => ({ name: `n${index}`, pattern: pattern(index) }))) };
  yield { about: '32 patterns of 256', body: wrap(times(32, (index) => ({ name: `n${index}`, pattern: pattern(index) }))) };
  yield { about: '15 patterns of 240', body: wrap(times(15, (index) => ({ name: `n${index}`, pattern: pattern(index) }))) };
  yield {
    about: '32 patterns of classes',
    body: wrap(
      times(20, (index) => ({ name: `n${index}`, pattern: `x${times(40, (at) => `[${index.toString(36)}${at.toString(36)}]`).join('')}` })),
    ),
  };
  yield {
    about: 'open repetitions',
    body: wrap(
      times(30, (index) => ({ name: `n${index}`, pattern: `-${times(28, (at) => `${((at % 26) + 10).toString(36)}*`).join('')}x` })),
    ),
  };
  yield { about: 'many words', body: wrap(times(10, (index) => ({ name: `n${index}`, words: times(40, (at) => `w${at}`) }))) };
  yield {
    about: 'many words in many texts',
    body: wrap(times(32, (index) => ({ name: `n${index}`, words: times(10_000, (at) => `w${at}`) }))),
  };
}

export const SPECIAL_BODIES: Readonly<Record<string, (() => Iterable<Special>) | undefined>> = {
  'scim-patch-user': listPatches,
  'scim-patch-group': listPatches,
  'scim-create-group': () => [
    { about: 'many members', body: { displayName: 'many', members: times(60_000, (index) => ({ value: idOf(index) })) } },
  ],
  'scim-replace-group': () => [
    { about: 'many members', body: { displayName: 'many', members: times(60_000, (index) => ({ value: idOf(index) })) } },
    { about: 'one member, many times', body: { displayName: 'many', members: times(60_000, () => ({ value: EXAMPLE_IDS.member })) } },
  ],
  'scim-search-users': listSearches,
  'scim-search-groups': listSearches,
  'preview-configuration': listDocuments,
  'preview-access-list': listPreviews,
  'create-access-list': function* () {
    for (const { about, body } of listPreviews()) yield { about, body: { name: about, ...(body as object) } };
  },
  'preview-organization': function* () {
    for (const { about, body } of listPreviews()) yield { about, body: { approved_models: body } };
  },
  'test-guardrail': () => listGuardrails(true),
  'create-guardrail': () => listGuardrails(false),
};
