import { OPERATIONS } from '@weir/api-description';
import { getEndpoint, type EndpointRow } from '@weir/contracts';
import type { Random } from './random';
import { encodeRequest, type FuzzRequest } from './request';

/** Would change how everything after them is answered. */
const LASTING = new Set([
  'update-organization',
  'set-auto-top-up',
  'offboard-member',
  'create-guardrail',
  'test-provider-credential',
  'scim-patch-user',
]);

type Target = { readonly row: EndpointRow; readonly body: unknown };

const TARGETS: readonly Target[] = OPERATIONS.filter(({ id }) => !LASTING.has(id)).flatMap(({ id, examples }) => {
  const row = getEndpoint(id);
  return examples.filter(({ body }) => body !== undefined).map(({ body }) => ({ row, body }));
});

const INJECTED = 'x\n\ndata: [DONE]\n\nevent: error\r\n\r\nHTTP/1.1 200 OK\r\n';
/** Texts put in place of values; they are JSON already, so that what JSON cannot hold can be in them. */
const VALUES: readonly string[] = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1.5',
    '1e999',
    '-1e999',
    '1e-400',
    '9007199254740993',
    '123456789012345678901234567890',
    '[]',
    '{}',
    '""',
  ],
  ...['[[]]', '{"a":{}}', '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u2028\\u2029"', '{"__proto__":{"polluted":true}}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '["__proto__"]', JSON.stringify(INJECTED), JSON.stringify('x'.repeat(70_000))],
  ...[
    '"\\ufeff"',
    '"../../../../etc/passwd"',
    '"http://169.254.169.254/"',
    '"data:image/png;base64,AAAA"',
    '"\'; drop table usage_event; --"',
  ],
  JSON.stringify(Array.from({ length: 3000 }, (_, index) => index)),
  JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ type: 'function', function: { name: `f${index}` } }))),
];
/** A long text is a long recording: a quarter of a gigabyte, slowly spoken. */
const SHORT_VALUES = VALUES.filter((value) => value.length < 50_000);
const KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a'.repeat(3000), 'weir', 'stream', 'ﬀ', '\ud800'];

/** Spoils a body as text or as bytes. */
const SPOILERS: readonly ((text: string, random: Random) => { about: string; body: Buffer })[] = [
  (text, random) => ({ about: 'cut off', body: Buffer.from(text.slice(0, random.integer(text.length))) }),
  (text) => ({ about: 'a byte order mark', body: Buffer.from(`\ufeff${text}`) }),
  (text) => ({ about: 'UTF-16', body: Buffer.from(text, 'utf16le') }),
  (text) => ({
    about: 'bytes that are no UTF-8',
    body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('}')]),
  }),
  (text) => ({ about: 'two bodies', body: Buffer.from(text + text) }),
  (text) => ({ about: 'a list of it', body: Buffer.from(`[${text}]`) }),
  (_, random) => ({ about: 'depth', body: Buffer.from(`{"messages":${random.pick(['[', '{"a":']).repeat(100_000)}`) }),
  (_, random) => ({ about: 'noise', body: Buffer.from(Array.from({ length: random.integer(200) }, () => random.integer(256))) }),
  () => ({ about: 'nothing', body: Buffer.alloc(0) }),
  (text) => ({ about: 'the same keys twice', body: Buffer.from(`${text.slice(0, -1)},${text.slice(1)}`) }),
  (text) => ({ about: 'comments', body: Buffer.from(`/* x */${text}// x`) }),
  (text) => ({ about: 'nul bytes', body: Buffer.from(text.replaceAll(' ', '\0')) }),
];

/** A request whose body has something wrong in it. */
export function createBodyRequest(random: Random, key: string): FuzzRequest {
  const { row, body } = random.pick(TARGETS);
  const whole = JSON.stringify(body);
  const spoilt =
    random.integer(3) === 0 ? random.pick(SPOILERS)(whole, random) : mutate(body, random, row.id === 'speech' ? SHORT_VALUES : VALUES);
  const path = row.path.replace(/:\w+/g, () =>
    random.pick(['4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1eff', 'x', '%00', '..%2f..', '%ff', 'a'.repeat(500)]),
  );
  return {
    about: `${row.id}: ${spoilt.about}`,
    bytes: encodeRequest({
      method: row.method,
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: spoilt.body,
    }),
    dialect: row.errorDialect,
  };
}

function mutate(body: unknown, random: Random, values: readonly string[]): { about: string; body: Buffer } {
  const places = countPlaces(body);
  const target = random.integer(places);
  const value = random.pick(values);
  const extra = random.integer(4) === 0 ? random.pick(KEYS) : undefined;
  const text = write(body, { at: target, value, extra, seen: 0 });
  return {
    about: `${extra === undefined ? 'a value' : `the key ${JSON.stringify(extra).slice(0, 20)}`}: ${value.slice(0, 40)}`,
    body: Buffer.from(text),
  };
}

function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countPlaces(inner), 1);
}

type Plan = { readonly at: number; readonly value: string; readonly extra: string | undefined; seen: number };

/** Writes JSON with another text at one place of it: in place of what is there, or beside it under a key of its own. */
function write(value: unknown, plan: Plan): string {
  const isHere = plan.seen++ === plan.at;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isHere && !(isObject && plan.extra !== undefined)) return plan.value;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, plan)).join(',')}]`;
  if (!isObject) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${write(inner, plan)}`);
  if (isHere) members.push(`${JSON.stringify(plan.extra)}:${plan.value}`);
  return `{${members.join(',')}}`;
}
