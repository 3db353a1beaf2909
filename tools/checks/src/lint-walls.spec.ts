import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from './repository/read-repository';

type Planted = readonly [what: string, path: string, text: string, rules: readonly string[]];

const BOUNDARY = '@nx/enforce-module-boundaries';
const IMPORTS = 'no-restricted-imports';
const SYNTAX = 'no-restricted-syntax';

const use = (specifier: string) => `import { it } from '${specifier}';\nit();\n`;

const PLANTED: readonly Planted[] = [
  ['a domain library that opens sockets', 'libs/usage/src/planted.ts', use('node:http'), [IMPORTS]],
  ['a domain library that reads disk', 'libs/model-catalog/src/planted.ts', use('fs/promises'), [IMPORTS]],
  ['a domain library that uses an adapter', 'libs/usage/src/planted.ts', use('@weir/database'), [BOUNDARY]],
  ['a domain library that uses a banned package', 'libs/usage/src/planted.ts', use('pino'), [BOUNDARY]],
  ['an adapter that uses another', 'libs/database/src/planted.ts', use('@weir/event-bus'), [BOUNDARY]],
  ['an app that uses another', 'apps/edge-router/src/planted.ts', use('@weir/management-api'), [BOUNDARY]],
  ['a scope that reaches into another', 'apps/usage-aggregator/src/planted.ts', use('@weir/providers'), [BOUNDARY]],
  ['a hot worker that reaches Postgres', 'apps/chat-translator/src/planted.ts', use('@weir/database'), [BOUNDARY]],
  ['a deep path into a library', 'apps/edge-router/src/planted.ts', use('@weir/access/src/principal'), [IMPORTS]],
  ['the testing library outside tests', 'apps/edge-router/src/planted.ts', use('@weir/testing'), [BOUNDARY, IMPORTS]],
  ['undici outside its library', 'libs/providers/src/planted.ts', use('undici'), [IMPORTS]],
  ['pg outside its library', 'apps/usage-aggregator/src/planted.ts', use('pg'), [IMPORTS]],
  ['Prisma outside its library', 'apps/management-api/src/planted.ts', use('@prisma/client'), [IMPORTS]],
  ['ioredis outside its library', 'apps/edge-router/src/planted.ts', use('ioredis'), [IMPORTS]],
  ['kafkajs outside its library', 'apps/usage-aggregator/src/planted.ts', use('kafkajs'), [IMPORTS]],
  ['multer outside its library', 'apps/media-service/src/planted.ts', use('multer'), [IMPORTS]],
  ['a client of buckets outside its library', 'apps/media-service/src/planted.ts', use('@aws-sdk/client-s3'), [IMPORTS]],
  ['express outside apps and http-server', 'libs/event-bus/src/planted.ts', use('express'), [IMPORTS]],
  ['a reserved package by a hidden import', 'libs/providers/src/planted.ts', "export const it = import('undici');\n", [SYNTAX]],
  ['the environment read outside config', 'libs/http-server/src/planted.ts', "export const it = process.env['X'];\n", [SYNTAX]],
  ['a default export', 'libs/http-server/src/planted.ts', 'export default 1;\n', [SYNTAX]],
  ['an exported variable', 'libs/http-server/src/planted.ts', 'export let it = 1;\nit = 2;\n', [SYNTAX]],
  ['a console in a service', 'apps/edge-router/src/planted.ts', "console.log('x');\n", ['no-console']],
  ['any', 'libs/http-server/src/planted.ts', 'export const it: any = 1;\n', ['@typescript-eslint/no-explicit-any']],
  [
    'a long parameter list',
    'libs/http-server/src/planted.ts',
    'export const it = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n',
    ['max-params'],
  ],
  ['undici in its library', 'libs/upstream-http/src/planted.ts', use('undici'), []],
  ['pg in its library', 'libs/database/src/planted.ts', use('pg'), []],
  ['express in an app', 'apps/management-api/src/planted.ts', use('express'), []],
  ['the environment in env.ts', 'apps/edge-router/src/env.ts', "export const it = process.env['X'];\n", []],
  ['a library imported by its public name', 'apps/edge-router/src/planted.ts', use('@weir/access'), []],
  ['the testing library in a spec', 'libs/usage/src/planted.spec.ts', use('@weir/testing'), []],
  ['the standalone app joining the scopes', 'apps/standalone/src/planted.ts', use('@weir/usage-aggregator'), []],
];

describe('the boundaries that lint keeps', () => {
  let found: string[][];

  beforeAll(() => {
    const input = JSON.stringify(PLANTED.map(([, path, text]) => ({ path, text })));
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(REPOSITORY, 'tools/checks/lint-planted.mjs')], {
      input,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    found = JSON.parse(stdout) as string[][];
  }, 60_000);

  it.each(PLANTED.map(([what, , , rules], index) => ({ what, rules, index })))('$what: $rules', ({ rules, index }) => {
    expect([...new Set(found[index])].sort()).toEqual([...rules].sort());
  });
});
