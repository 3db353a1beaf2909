import { createHouse } from '../house/house';
import { RULES } from '.';
import { checkImportCycles } from './import-cycles';
import { checkNativeFolders, NATIVE_FILES, NATIVE_FOLDER } from './native-folders';
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
const nativeFolder = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${NATIVE_FOLDER}/acme/${name}.ts`, 'export {};\n']));
const todo = ['TO', 'DO'].join('');
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
    sound: { 'libs/x/package.json': '{}', 'libs/x/src/index.ts': '// This room waits.\n', 'libs/x/README.md': '# x\n' },
    says: 'libs/x/README.md: is missing',
  },
  {
    rule: 'folders and files have telling names',
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
    rule: 'the README leads to places that exist',
    broken: { 'README.md': 'go to `libs/x/src/{here,gone}.ts`', 'libs/x/src/here.ts': '' },
    sound: { 'README.md': 'go to `libs/x/src/<name>.ts`, `libs/x`', 'libs/x/src/here.ts': '' },
    says: 'README.md: `libs/x/src/gone.ts` does not exist',
  },
  {
    rule: 'native providers have their seven files and an address',
    broken: { [`${NATIVE_FOLDER}/index.ts`]: 'export {};\n', ...nativeFolder(NATIVE_FILES.slice(1)) },
    sound: { [`${NATIVE_FOLDER}/index.ts`]: "import { createAcme } from './acme';\n", ...nativeFolder(NATIVE_FILES) },
    says: `${NATIVE_FOLDER}/index.ts: does not list acme`,
  },
  {
    rule: 'the core names no vendor',
    broken: { 'libs/routing/src/choose.ts': "if (id === 'openai') use(id);\n" },
    sound: {
      'libs/routing/src/choose.ts': "// openai answers first\nimport { a } from './together';\n",
      'libs/providers/src/x.ts': "const id = 'openai';\n",
    },
    says: 'libs/routing/src/choose.ts:1: names the vendor openai',
  },
  {
    rule: 'files do not import each other in circles',
    broken: { 'libs/x/src/a.ts': "import { b } from './b';\n", 'libs/x/src/b.ts': "export { a } from './a';\n" },
    sound: { 'libs/x/src/a.ts': "import { b } from './b';\n", 'libs/x/src/b.ts': "import type { A } from './a';\n" },
    says: 'libs/x/src/a.ts: imports itself through libs/x/src/b.ts → libs/x/src/a.ts',
  },
];

describe('house rules', () => {
  it('have a broken sample each', () => {
    expect(SAMPLES.map(({ rule }) => rule).sort()).toEqual(Object.keys(RULES).sort());
  });

  it.each(SAMPLES)('$rule: says what is wrong, and only then', ({ rule, broken, sound, says }) => {
    const check = RULES[rule]!;

    expect(check(createHouse(broken)).some((problem) => problem.startsWith(says))).toBe(true);
    expect(check(createHouse(sound))).toEqual([]);
  });
});

describe('vendor names', () => {
  const check = (text: string) => checkVendorNames(createHouse({ 'apps/edge-router/src/a.ts': text }));

  it.each(['const openAiKey = 1;', 'const a = `x-${b}-anthropic`;', 'const a = /gemini-/;', 'type A = { groqTier: string };'])(
    'are found in %s',
    (text) => {
      expect(check(text)).toHaveLength(1);
    },
  );

  it('are also those of data entries and native folders', () => {
    const house = createHouse({
      'libs/providers/src/openai-compatible/compatible-providers.json': '[{"id":"acmecorp"}]',
      [`${NATIVE_FOLDER}/index.ts`]: "const a = { id: 'zenith' };",
      'libs/routing/src/a.ts': "const a = ['acmecorp', 'zenith'];",
    });

    expect(checkVendorNames(house)).toHaveLength(2);
  });

  it('may be said where callers read them, in tests, and inside other words', () => {
    expect(check("const header = 'anthropic-version';")).toEqual([]);
    expect(check('const maxAiTokens = grouping;')).toEqual([]);
    expect(checkVendorNames(createHouse({ 'libs/routing/src/a.spec.ts': "const a = 'openai';" }))).toEqual([]);
  });
});

describe('other rules', () => {
  it('let a built-in native folder do without the seven files, but not without an address', () => {
    const book = (list: string) => `export const BUILT_IN_FOLDERS: readonly string[] = [${list}];\nexport { createAcme } from './acme';\n`;
    const check = (list: string) =>
      checkNativeFolders(createHouse({ [`${NATIVE_FOLDER}/index.ts`]: book(list), [`${NATIVE_FOLDER}/acme/index.ts`]: '' }));

    expect(check("'acme'")).toEqual([]);
    expect(check('')).toHaveLength(6);
  });

  it('see a missing README', () => {
    expect(checkReadmePaths(createHouse({}))).toEqual(['README.md: is missing']);
  });

  it('leave the paths of images alone', () => {
    expect(checkMachinePaths(createHouse({ 'docker/service.Dockerfile': `WORKDIR ${home}` }))).toEqual([]);
  });

  it('follow circles through folders', () => {
    const house = createHouse({
      'libs/x/src/a.ts': "import { c } from './parts';\n",
      'libs/x/src/parts/index.ts': "import { a } from '../a';\n",
    });

    expect(checkImportCycles(house)).toHaveLength(1);
  });
});
