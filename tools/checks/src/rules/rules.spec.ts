import { createRepository } from '../repository/repository';
import { RULES } from '.';
import { checkFolderCycles } from './folder-cycles';
import { checkExportedNames } from './exported-names';
import { checkImportCycles } from './import-cycles';
import { checkMigrations } from './migrations';
import { checkNativeFolders, NATIVE_FOLDER } from './native-folders';
import { checkMachinePaths } from './prose-marks';
import { checkReadmePaths } from './readme-paths';
import { checkVendorNames } from './vendor-names';

type Sample = {
  readonly rule: string;
  readonly broken: Record<string, string>;
  readonly sound: Record<string, string>;
  readonly says: string;
};

const manifest = (tags: string[]) => JSON.stringify({ name: '@weir/x', nx: { tags } });
const todo = ['TO', 'DO'].join('');
const refused = ['to', 'ld'].join('');
const home = ['', 'home', 'somebody', 'x'].join('/');

const SAMPLES: readonly Sample[] = [
  {
    rule: 'every project has one type and one scope',
    broken: { 'libs/x/package.json': manifest(['type:domain', 'type:app']) },
    sound: { 'libs/x/package.json': manifest(['type:domain', 'scope:shared', 'path:hot']) },
    says: 'libs/x/package.json: has 2 type: tags, one is needed',
  },
  {
    rule: 'every library says what it does and has a README',
    broken: { 'libs/x/package.json': '{}', 'libs/x/src/index.ts': 'export {};\n' },
    sound: { 'libs/x/package.json': '{}', 'libs/x/src/index.ts': '// This library waits.\n', 'libs/x/README.md': '# x\n' },
    says: 'libs/x/README.md: is missing',
  },
  {
    rule: 'folders and files have meaningful names',
    broken: { 'libs/x/src/utils/split-text.ts': '', 'libs/x/src/splitText.ts': '' },
    sound: { 'libs/x/src/text/split-text.int.spec.ts': '' },
    says: 'libs/x/src/utils: this name says nothing',
  },
  {
    rule: 'no file is too long',
    broken: { 'libs/x/src/long.ts': '\n'.repeat(401) },
    sound: { 'libs/x/src/fits.ts': '\n'.repeat(400), 'libs/x/src/data.json': '\n'.repeat(900) },
    says: 'libs/x/src/long.ts: has 401 lines, 400 are the most',
  },
  {
    rule: 'nothing is marked as unfinished',
    broken: { 'libs/x/src/later.ts': `const a = 1;\n// ${todo}: more\n` },
    sound: { 'libs/x/src/done.ts': `const ${todo.toLowerCase()} = 1;\n` },
    says: 'libs/x/src/later.ts:2: holds an unfinished mark',
  },
  {
    rule: 'no file names a path of one machine',
    broken: { 'docs/notes.md': `see ${home}` },
    sound: { 'docs/notes.md': `GET https://host.example${home} and libs${home}` },
    says: 'docs/notes.md:1: names a path of one machine',
  },
  {
    rule: 'everything uses the words of the glossary',
    broken: { 'libs/x/src/usage.ts': `const a = 1;\n/** What the provider ${refused} us. */\n` },
    sound: { 'libs/x/src/usage.ts': '/** What the provider reported. */\nconst mushroomStorage = untilNow;\n' },
    says: `libs/x/src/usage.ts:2: says "${refused}"; the glossary has reported`,
  },
  {
    rule: 'every JSON file parses',
    broken: { 'libs/x/src/data.json': '{"a": 1,}' },
    sound: { 'libs/x/src/data.json': '{"a": 1}' },
    says: 'libs/x/src/data.json: ',
  },
  {
    rule: 'every decision has a status',
    broken: { 'docs/decisions/0001-why.md': '# Why\n\nBecause.\n' },
    sound: { 'docs/decisions/0001-why.md': '# Why\n\nStatus: accepted, 2026-11-21\n' },
    says: 'docs/decisions/0001-why.md: has no status line',
  },
  {
    rule: 'the README and the page of the architecture lead to places that exist',
    broken: { 'README.md': 'go to `libs/x/src/{here,gone}.ts`', 'libs/x/src/here.ts': '', 'docs/architecture.md': '' },
    sound: {
      'README.md': 'go to `libs/x/src/<name>.ts`, `libs/x`',
      'libs/x/src/here.ts': '',
      'docs/architecture.md': '`libs/x/src/here.ts`',
    },
    says: 'README.md: `libs/x/src/gone.ts` does not exist',
  },
  {
    rule: 'native providers have an entry and are listed',
    broken: { [`${NATIVE_FOLDER}/index.ts`]: 'export {};\n', [`${NATIVE_FOLDER}/acme/index.ts`]: '' },
    sound: { [`${NATIVE_FOLDER}/index.ts`]: "import { createAcme } from './acme';\n", [`${NATIVE_FOLDER}/acme/index.ts`]: '' },
    says: `${NATIVE_FOLDER}/index.ts: does not list acme`,
  },
  {
    rule: 'the core names no vendor',
    broken: { 'libs/routing/src/choose.ts': "if (id === 'openai') use(id);\n" },
    sound: {
      'libs/routing/src/choose.ts': "// openai replies first\nimport { a } from './together';\n",
      'libs/providers/src/x.ts': "const id = 'openai';\n",
    },
    says: 'libs/routing/src/choose.ts:1: names the vendor openai',
  },
  {
    rule: 'files do not import each other in circles',
    broken: { 'libs/x/src/a.ts': "import { b } from './b';\n", 'libs/x/src/b.ts': "import type { A } from './a';\n" },
    sound: { 'libs/x/src/a.ts': "import { b } from './b';\n", 'libs/x/src/b.ts': "import type { C } from './c';\n", 'libs/x/src/c.ts': '' },
    says: 'libs/x/src/a.ts: imports itself through libs/x/src/b.ts → libs/x/src/a.ts',
  },
  {
    rule: 'libraries export by name, and only what is used',
    broken: {
      'libs/x/package.json': manifest([]),
      'libs/x/src/index.ts': "export { a, b } from './a';\n",
      'apps/y/src/use.ts': "import { a } from '@weir/x';\n",
    },
    sound: {
      'libs/x/package.json': manifest([]),
      'libs/x/src/index.ts': "export { a, type B } from './a';\n",
      'apps/y/src/use.ts': "import { a as own } from '@weir/x';\n",
      'libs/x/src/a.spec.ts': "import type { B } from '.';\n",
    },
    says: 'libs/x/src/index.ts: exports b, which no other project uses',
  },
  {
    rule: 'folders of a project do not import each other in circles',
    broken: {
      'libs/x/src/up/a.ts': "import { b } from '../down/b';\n",
      'libs/x/src/up/types.ts': '',
      'libs/x/src/down/b.ts': "import type { T } from '../up/types';\n",
    },
    sound: {
      'libs/x/src/index.ts': "export { a } from './up/a';\n",
      'libs/x/src/up/a.ts': "import { b } from '../down/b';\nimport { c } from '../index';\n",
      'libs/x/src/down/b.ts': '',
      'libs/x/src/down/b.spec.ts': "import { a } from '../up/a';\n",
      'libs/x/src/down/__fixtures__/make.ts': "import { a } from '../../up/a';\n",
    },
    says: 'libs/x/src/down: imports itself through libs/x/src/down/b.ts → libs/x/src/up/types.ts, libs/x/src/up/a.ts → libs/x/src/down/b.ts',
  },
  {
    rule: 'links between pages lead somewhere',
    broken: { 'docs/a.md': 'See [b](b.md#who-are-you).\n', 'docs/b.md': '# Who am I?\n' },
    sound: {
      'docs/a.md': 'See [b](b.md#who-am-i), [library](../libs/x), `[no](link)`.\n',
      'docs/b.md': '# Who am I?\n',
      'libs/x/a.ts': '',
    },
    says: 'docs/a.md: b.md#who-are-you names a heading',
  },
  {
    rule: 'tables of pages are tables',
    broken: { 'docs/a.md': '| A | B |\n|---|---|\n| 1 | 2 |\n\n| 3 | 4 |\n' },
    sound: { 'docs/a.md': '| A | B |\n|---|:-:|\n| `x\\|y` | 2 |\n\n```\n| no table\n```\n' },
    says: 'docs/a.md:5: is no row of a table',
  },
  {
    rule: 'scripts that pages name are there',
    broken: { 'package.json': '{"scripts":{"build":"x"}}', 'docs/a.md': 'Do `npm run bild`.\n' },
    sound: { 'package.json': '{"scripts":{"build":"x","start":"y"}}', 'docs/a.md': 'Do `npm run build`, then `npm start`.\n' },
    says: 'docs/a.md: npm run bild is not there',
  },
  {
    rule: 'every setting is documented',
    broken: { 'apps/x/src/env.ts': 'const env = z.object({\n  SOME_THING: text,\n});\n', 'docs/settings.md': '`OTHER_THING`\n' },
    sound: {
      'apps/x/src/env.ts': 'const env = z.object({\n  SOME_THING: text,\n  PORT: port,\n});\n',
      'docs/settings.md': '`SOME_*` `PORT`\n',
    },
    says: 'apps/x/src/env.ts: SOME_THING is not in docs/settings.md',
  },
  {
    rule: 'migrations only add',
    broken: {
      'libs/database/prisma/migrations/2_b/migration.sql': 'ALTER TABLE "a" ADD COLUMN "b" TEXT;\nALTER TABLE "a" DROP COLUMN "c";\n',
    },
    sound: {
      'libs/database/prisma/migrations/2_b/migration.sql':
        'ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL DEFAULT \'x\';\n-- contract: unread since version 3\nALTER TABLE "a" DROP COLUMN "c";\nCREATE TABLE "n" ("i" INT);\nALTER TABLE "n" ALTER COLUMN "i" SET NOT NULL;\n',
    },
    says: 'libs/database/prisma/migrations/2_b/migration.sql: drops what the version before may still use',
  },
];

describe('the rules', () => {
  it('have a broken sample each', () => {
    expect(SAMPLES.map(({ rule }) => rule).sort()).toEqual(Object.keys(RULES).sort());
  });

  it.each(SAMPLES)('$rule: says what is wrong, and only then', ({ rule, broken, sound, says }) => {
    const check = RULES[rule]!;

    expect(check(createRepository(broken)).some((problem) => problem.startsWith(says))).toBe(true);
    expect(check(createRepository(sound))).toEqual([]);
  });
});

describe('vendor names', () => {
  const check = (text: string) => checkVendorNames(createRepository({ 'apps/edge-router/src/a.ts': text }));

  it.each(['const openAiKey = 1;', 'const a = `x-${b}-anthropic`;', 'const a = /gemini-/;', 'type A = { groqTier: string };'])(
    'are found in %s',
    (text) => {
      expect(check(text)).toHaveLength(1);
    },
  );

  it('are also those of data entries and native folders', () => {
    const repository = createRepository({
      'libs/providers/src/openai-compatible/rules/compatible-providers.json': '[{"id":"acmecorp"}]',
      [`${NATIVE_FOLDER}/index.ts`]: "const a = { id: 'zenith' };",
      'libs/routing/src/a.ts': "const a = ['acmecorp', 'zenith'];",
    });

    expect(checkVendorNames(repository)).toHaveLength(2);
  });

  it('may be said where callers read them, in tests, and inside other words', () => {
    expect(check("const header = 'anthropic-version';")).toEqual([]);
    expect(check('const maxAiTokens = grouping;')).toEqual([]);
    expect(checkVendorNames(createRepository({ 'libs/routing/src/a.spec.ts': "const a = 'openai';" }))).toEqual([]);
  });
});

describe('other rules', () => {
  it('find a library that exports all of a file', () => {
    const files = { 'libs/x/package.json': manifest([]), 'libs/x/src/index.ts': "export * from './a';\n" };

    expect(checkExportedNames(createRepository(files))).toEqual(['libs/x/src/index.ts: exports all of a file; name what is public']);
  });

  it('find a native folder without an entry', () => {
    const list = "export { createAcme } from './acme';\n";
    const files = { [`${NATIVE_FOLDER}/index.ts`]: list, [`${NATIVE_FOLDER}/acme/read-usage.ts`]: '' };

    expect(checkNativeFolders(createRepository(files))).toEqual([`${NATIVE_FOLDER}/acme/index.ts: is missing`]);
  });

  it('see a missing README', () => {
    expect(checkReadmePaths(createRepository({ 'docs/architecture.md': '' }))).toEqual(['README.md: is missing']);
  });

  it('find a path of the architecture page that leads nowhere', () => {
    const pages = { 'README.md': '', 'docs/architecture.md': 'then `libs/x/src/gone.ts`' };

    expect(checkReadmePaths(createRepository(pages))).toEqual(['docs/architecture.md: `libs/x/src/gone.ts` does not exist']);
  });

  it.each([
    'ALTER TABLE "a" RENAME TO "b";',
    'ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL;',
    'ALTER TABLE "a" ADD COLUMN "b" TEXT DEFAULT \'x\', ADD COLUMN "c" TEXT NOT NULL;',
    'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;',
    'ALTER TABLE "a" ALTER COLUMN "b" TYPE BIGINT;',
    'DROP TABLE "a";',
  ])('see what a rolling upgrade would stumble over: %s', (sql) => {
    expect(checkMigrations(createRepository({ 'libs/database/prisma/migrations/2_b/migration.sql': sql }))).toHaveLength(1);
  });

  it('leave the paths of images alone', () => {
    expect(checkMachinePaths(createRepository({ 'docker/service.Dockerfile': `WORKDIR ${home}` }))).toEqual([]);
  });

  it('follow circles through folders', () => {
    const repository = createRepository({
      'libs/x/src/a.ts': "import { c } from './parts';\n",
      'libs/x/src/parts/index.ts': "import { a } from '../a';\n",
    });

    expect(checkImportCycles(repository)).toHaveLength(1);
  });

  it.each([
    "import type { A } from './a';",
    "import { type A } from './a';",
    "export type { A } from './a';",
    "export * from './a';",
    "import './a';",
  ])('find the circle that %s closes', (line) => {
    const repository = createRepository({ 'libs/x/src/a.ts': "import { b } from './b';\n", 'libs/x/src/b.ts': `${line}\n` });

    expect(checkImportCycles(repository)).toEqual(['libs/x/src/a.ts: imports itself through libs/x/src/b.ts → libs/x/src/a.ts']);
  });

  it('report circles by their shortest way, and no file twice for the same circle', () => {
    const use = (...names: string[]) => names.map((name) => `import './${name}';\n`).join('');
    const repository = createRepository({
      'libs/x/src/a.ts': use('b'),
      'libs/x/src/b.ts': use('c'),
      'libs/x/src/c.ts': use('a', 'b'),
      'libs/x/src/d.ts': use('a', 'e'),
      'libs/x/src/e.ts': use('d'),
    });

    expect(checkImportCycles(repository)).toEqual([
      'libs/x/src/a.ts: imports itself through libs/x/src/b.ts → libs/x/src/c.ts → libs/x/src/a.ts',
      'libs/x/src/d.ts: imports itself through libs/x/src/e.ts → libs/x/src/d.ts',
    ]);
  });

  it('find a parent folder and its child that import each other', () => {
    const repository = createRepository({
      'libs/x/src/a.ts': "import { b } from './parts/b';\n",
      'libs/x/src/c.ts': '',
      'libs/x/src/parts/b.ts': "import { c } from '../c';\n",
    });

    expect(checkFolderCycles(repository)).toHaveLength(1);
    expect(checkImportCycles(repository)).toEqual([]);
  });
});
