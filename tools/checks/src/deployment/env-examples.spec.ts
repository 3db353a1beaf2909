import { loadEnv } from '@weir/config';
import { listKeySettings } from '@weir/providers';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { ENV_SCHEMAS, read, ROOT, SERVICES } from './__fixtures__/deployment-files';

/** Who calls providers, or plans who does. */
const CALLERS = new Set(['edge-router', 'chat-translator', 'media-service']);

/** Of settings without a default, where everything runs on one machine. Secrets are made by who copies the file. */
const HERE: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://weir:weir@127.0.0.1:5432/weir',
  REDIS_URL: 'redis://127.0.0.1:6379',
  KAFKA_BROKERS: '127.0.0.1:9092',
  CHAT_TRANSLATOR_URL: 'http://127.0.0.1:4001',
  MEDIA_SERVICE_URL: 'http://127.0.0.1:4002',
  CONSOLE_GATEWAY_URL: 'http://127.0.0.1:4000',
};
const OF_A_SERVICE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'chat-translator': { JOURNAL_DIR: '.weir/chat-translator' },
  'media-service': { JOURNAL_DIR: '.weir/media-service', BLOB_DIR: '.weir/files' },
};
const MADE = 'make one with: openssl rand -hex 32';
/** Of the settings that have to be the same in several services, what has to be made once. */
const SECRETS: Readonly<Record<string, string>> = {
  KEY_PEPPER: `${MADE}; the same in edge-router and management-api`,
  PASSPORT_SECRET: `${MADE}; the same in edge-router, chat-translator, media-service and management-api`,
  SEALING_KEY: `${MADE}; the same in edge-router, management-api and usage-aggregator`,
};
/** For tests, not for people who run a gateway. */
const LEFT_OUT = /^FAILPOINT/;

type Row = { readonly names: readonly string[]; readonly meaning: string };

const rows: readonly Row[] = read('docs', 'settings.md')
  .split('\n')
  .map((line) => line.split(' | '))
  .filter((cells) => cells.length === 3 && cells[0]?.startsWith('| `'))
  .map(([names = '', , meaning = '']) => ({
    names: [...names.matchAll(/`([A-Z][A-Z0-9_]*\*?)`/g)].map(([, name = '']) => name),
    meaning: meaning.replace(/ \|$/, ''),
  }))
  .filter(({ meaning }) => !meaning.startsWith('as above') && !meaning.startsWith('the same'));

/** What the page of settings says of one, as text of one line: its last table is of services, those before are of the gateway in one process. */
function explain(name: string): string {
  const isMeant = (one: string): boolean => one === name || one === `${name}_FILE`;
  const isCovered = (one: string): boolean => one.endsWith('*') && name.startsWith(one.slice(0, -1));
  const row = rows.findLast(({ names }) => names.some(isMeant)) ?? rows.findLast(({ names }) => names.some(isCovered));
  const text = (row?.meaning ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  const [sentence = ''] = text.split(/(?<=[a-z)])\. |; see /);
  return sentence.length <= 160 ? sentence : `${sentence.slice(0, sentence.lastIndexOf(' ', 157))} …`;
}

function readDefault(schema: z.ZodType): string | undefined {
  const { success, data } = schema.safeParse(undefined);
  if (!success || data === undefined) return undefined;
  if (Array.isArray(data)) return data.join(',');
  if (typeof data === 'object') return '';
  return String(data).replace(tmpdir(), '/tmp');
}

type Setting = { readonly comment: string; readonly line: string };

function writeSetting(service: string, name: string, schema: z.ZodType): Setting {
  const secret = SECRETS[name];
  const comment = [explain(name), secret].filter((one) => one !== undefined && one !== '').join('; ');
  if (secret !== undefined) return { comment, line: `${name}=` };
  const suggested = OF_A_SERVICE[service]?.[name] ?? HERE[name];
  const isRequired = !schema.safeParse(undefined).success;
  if (isRequired || suggested !== undefined) return { comment, line: `${name}=${suggested ?? ''}` };
  const isFile = rows.some(({ names }) => names.includes(`${name}_FILE`)) && !rows.some(({ names }) => names.includes(name));
  return { comment, line: `#${name}${isFile ? '_FILE' : ''}=${readDefault(schema) ?? ''}` };
}

/** A comment that several have stands over the first of them. */
function writeSettings(settings: readonly Setting[]): string[] {
  return settings.flatMap(({ comment, line }, index) =>
    comment === '' || comment === settings[index - 1]?.comment ? [line] : [`# ${comment}`, line],
  );
}

function writeExample(service: string, schema: z.ZodObject): string {
  const names = Object.keys(schema.shape).filter((name) => !LEFT_OUT.test(name));
  const settings = names.map((name) => writeSetting(service, name, schema.shape[name] as z.ZodType));
  const isSet = ({ line }: Setting): boolean => !line.startsWith('#');
  const providers = listKeySettings().map(({ names: [customary = ''] }) => `#${customary}=`);
  return [
    `# Settings of the ${service} run by hand: copy to .env beside this file, fill in what is empty, and start it with`,
    `#   node --env-file=apps/${service}/.env apps/${service}/dist/main.js`,
    '# All settings, and what they mean: docs/settings.md. Written by UPDATE_DOCS=1 npx jest --selectProjects unit -- env-examples',
    '',
    ...writeSettings(settings.filter(isSet)),
    ...(CALLERS.has(service)
      ? ['', '# Keys of providers, the same in edge-router, chat-translator and media-service', ...new Set(providers)]
      : []),
    '',
    '# What is as it stands here unless it is set',
    ...writeSettings(settings.filter((setting) => !isSet(setting))),
    '',
  ].join('\n');
}

describe.each(SERVICES)('the example of settings of the %s', (service) => {
  const schema = ENV_SCHEMAS[service] as z.ZodObject;
  const path = ['apps', service, '.env.example'];

  it('has all that the service reads: UPDATE_DOCS=1 writes it', () => {
    const example = writeExample(service, schema);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(join(ROOT, ...path), example);

    expect(read(...path)).toBe(example);
  });

  it('is enough for a start once its secrets are filled in, and says the defaults that there are', () => {
    const text = read(...path);
    const fill = (values: NodeJS.Dict<string>): NodeJS.Dict<string> =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name in SECRETS ? 's'.repeat(64) : value]));
    const env = loadEnv(schema, fill(parseEnv(text)));
    const spelledOut = loadEnv(schema, fill(parseEnv(text.replace(/^#([A-Z][A-Z0-9_]*=)/gm, '$1'))));

    expect({ ...spelledOut, UPLOAD_DIR: undefined }).toEqual({ ...env, UPLOAD_DIR: undefined });
  });
});

describe('what is said of a setting that cannot be used', () => {
  const JUNK = ['', 'no', '-1', '99999999999999999999', '[]', '{}', '{"a":1}', 'ftp://x', ',', 'a b'];
  const settings = Object.entries(ENV_SCHEMAS).flatMap(([service, schema]) =>
    Object.keys(schema.shape).map((name) => [service, name] as const),
  );

  it.each(settings)('%s: %s is said in words of ours', (service, name) => {
    const schema = (ENV_SCHEMAS[service] as z.ZodObject).pick({ [name]: true } as never);
    const lines = JUNK.flatMap((value) => {
      try {
        loadEnv(schema, { [name]: value });
        return [];
      } catch (error) {
        return (error as { problems: string[] }).problems;
      }
    });
    for (const line of lines) {
      expect(line).toMatch(new RegExp(`^${name}: `));
      // The words of the library that checks it.
      expect(line).not.toMatch(/invalid|expected|received|too (small|big)|unrecognized|string|nan\b/i);
    }
  });
});
