import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parse, parseDocument, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { ENV_SCHEMAS, read, ROOT } from './__fixtures__/deployment-files';

const PATH = ['k8s', 'chart', 'values.schema.json'];
/** Whose settings include those of providers, whose names are only known at run time. */
const CALLERS = ['edgeRouter', 'chatTranslator', 'mediaService'];
const OF_PROVIDERS =
  '^(PROVIDER|[A-Z][A-Z0-9]*)_([A-Z0-9_]*_)?(API_KEY|BASE_URL|ACCOUNTS|CONFORMS|REGION|LOCATION|PROJECT|PROJECT_ID|ENDPOINT|API_VERSION)(_FILE)?$';

type Definition = { readonly propertyNames: object };

/** What the schema of values says of a service's `settings`, made of the schema that the service parses them with. */
function describeSettings(service: string, key: string): Definition & Record<string, unknown> {
  const names = Object.keys(ENV_SCHEMAS[service]?.shape ?? {}).sort();
  const known = { enum: [...new Set(names.flatMap((name) => [name, `${name}_FILE`]))].sort() };
  return {
    description: `Environment variables of the ${service}, as in docs/settings.md; always text`,
    type: 'object',
    propertyNames: CALLERS.includes(key) ? { anyOf: [known, { pattern: OF_PROVIDERS }] } : known,
    additionalProperties: { type: ['string', 'null'] },
  };
}

const KEYS = {
  edgeRouter: 'edge-router',
  chatTranslator: 'chat-translator',
  mediaService: 'media-service',
  managementApi: 'management-api',
  usageAggregator: 'usage-aggregator',
};

/** A row for each value that has no values of its own, or whose members are not ours to name. */
function listValues(map: YAMLMap, above: string): string[] {
  return map.items.flatMap((item, index) => {
    const { key, value } = item as Pair<Scalar<string>>;
    const name = above === '' ? key.value : `${above}.${key.value}`;
    // A comment before the first member is the map's.
    const comment = (key.commentBefore ?? (index === 0 && above !== '' ? map.commentBefore : '') ?? '').split('\n\n').at(-1) ?? '';
    const about = comment.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
    const isOpen = isMap(value) && (value.flow === true || value.items.length === 0);
    if (isMap(value) && !isOpen) return [...(about === '' ? [] : [`| \`${name}\` | | ${about} |`]), ...listValues(value, name)];
    const standard = JSON.stringify((value as unknown as { toJSON(): unknown }).toJSON()).replaceAll('|', '\\|');
    return [`| \`${name}\` | \`${standard}\` | ${about} |`];
  });
}

describe('the page of the chart', () => {
  it('lists every value with its default and comment: UPDATE_DOCS=1 writes it', () => {
    const document = parseDocument(read('k8s', 'chart', 'values.yaml'), { merge: true });
    const rows = listValues(document.contents as YAMLMap, '');
    const page = [
      ...[
        '# weir',
        '',
        'Model gateway with exact metering, one process per service. How to install it, and what production needs: docs/kubernetes.md.',
      ],
      ...['', '| Value | Default | About |', '|---|---|---|', ...rows, ''],
    ].join('\n');
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(ROOT, 'k8s', 'chart', 'README.md'), page);

    expect(rows.length).toBeGreaterThan(80);
    expect(read('k8s', 'chart', 'README.md')).toBe(page);
  });
});

describe('the chart itself', () => {
  it('has an address, and the picture of the console', () => {
    const { home, icon } = parse(read('k8s', 'chart', 'Chart.yaml')) as { home: string; icon: string };
    const [kind, picture = ''] = icon.split(';base64,');
    expect([new URL(home).protocol, kind]).toEqual(['https:', 'data:image/svg+xml']);
    expect(Buffer.from(picture, 'base64').toString()).toBe(read('apps', 'console', 'public', 'favicon.svg'));
  });
});

describe('settings in the values of the chart', () => {
  it('are those that services read: UPDATE_DOCS=1 writes them, prettier lays them out', () => {
    const schema = JSON.parse(read(...PATH)) as { $defs: Record<string, unknown> };
    const made = Object.entries(KEYS).map(([key, service]) => [`${key}Settings`, describeSettings(service, key)] as const);
    if (process.env['UPDATE_DOCS'] === '1') {
      Object.assign(schema.$defs, Object.fromEntries(made));
      writeFileSync(join(ROOT, ...PATH), `${JSON.stringify(schema, null, 2)}\n`);
    }

    for (const [name, definition] of made) expect(schema.$defs[name]).toEqual(definition);
  });
});
