import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { REPOSITORY } from './repository/read-repository';

const MODULE = pathToFileURL(join(REPOSITORY, 'tools/setup/plain-exports.mjs')).href;
const FILES = {
  'index.js': "export { one, Two as Second } from './inner/values';\nexport * as all from './inner/values';\n",
  'inner/values.js': 'export const one = 1;\nexport class Two {}\n',
};
const GETTERS = /^Object\.defineProperty\(exports, .* get: function/gm;

function compile(source: string): string {
  return transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 } }).outputText;
}

describe('what a library exports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plain-exports-'));
  const compiled = Object.fromEntries(Object.entries(FILES).map(([name, source]) => [name, compile(source)]));

  beforeAll(() => {
    mkdirSync(join(folder, 'inner'));
    for (const [name, text] of Object.entries(compiled)) writeFileSync(join(folder, name), text);
    const script = `const { writePlainExports } = await import('${MODULE}'); writePlainExports(${JSON.stringify(folder)});`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is compiled to getters, and written as properties, line by line', () => {
    const [before = '', after] = [compiled['index.js'], readFileSync(join(folder, 'index.js'), 'utf8')];
    expect(before.match(GETTERS)).toHaveLength(2);
    expect(after.match(GETTERS)).toBeNull();
    expect(after.split('\n')).toHaveLength(before.split('\n').length);
    expect(readFileSync(join(folder, 'inner/values.js'), 'utf8')).toBe(compiled['inner/values.js']);
  });

  it('is the same as before', () => {
    const load = createRequire(join(folder, 'index.js'));
    const library = load('./index.js') as Record<string, unknown>;
    const values = load('./inner/values.js') as Record<string, unknown>;
    expect(library).toEqual({ one: 1, Second: values['Two'], all: values });
    expect(Object.getOwnPropertyDescriptor(library, 'one')).toMatchObject({ value: 1, enumerable: true });
  });
});
