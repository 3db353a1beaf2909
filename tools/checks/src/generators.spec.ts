import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { readRepository, REPOSITORY } from './repository/read-repository';
import { checkNativeFolders, NATIVE_FOLDER } from './rules/native-folders';

/** A copy of some projects inside the repository, where installed packages resolve. */
function copyProjects(folders: readonly string[]): string {
  mkdirSync(join(REPOSITORY, '.tmp'), { recursive: true });
  const root = mkdtempSync(join(REPOSITORY, '.tmp', 'generated-'));
  for (const folder of folders) {
    cpSync(join(REPOSITORY, folder), join(root, folder), {
      recursive: true,
      filter: (source) => !/\/(dist|node_modules|generated)$/.test(source),
    });
  }
  return root;
}

function generate(script: string, args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(REPOSITORY, 'tools/generators', script), ...args], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

/** Faults of types in the generated files themselves. */
function listTypeFaults(root: string, isGenerated: (path: string) => boolean, entries: readonly string[]): string[] {
  const config = ts.readConfigFile(join(REPOSITORY, 'tsconfig.spec.json'), ts.sys.readFile).config as object;
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, REPOSITORY);
  const program = ts.createProgram(
    entries.map((path) => join(root, path)),
    options,
  );
  return program
    .getSourceFiles()
    .filter((file) => isGenerated(relative(root, file.fileName)))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map((fault) => `${relative(root, fault.file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`);
}

describe('new:native-provider', () => {
  let root: string;

  beforeAll(() => {
    root = copyProjects(['libs/providers']);
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it('writes files that compile and obey the rule of native folders, and refuses to do it twice', () => {
    const first = generate('native-provider/create-native-provider.mjs', ['acme-cloud', '--root', root]);
    const second = generate('native-provider/create-native-provider.mjs', ['acme-cloud', '--root', root]);

    expect(first).toMatchObject({ status: 0 });
    expect(second).toMatchObject({ status: 1 });
    expect(checkNativeFolders(readRepository(root)).filter((problem) => problem.includes('acme-cloud'))).toEqual([]);
    const isGenerated = (path: string) => path.startsWith(`${NATIVE_FOLDER}/acme-cloud/`) || path === `${NATIVE_FOLDER}/index.ts`;
    expect(
      listTypeFaults(root, isGenerated, [
        `${NATIVE_FOLDER}/index.ts`,
        ...['index', 'encode-request', 'decode-reply', 'decode-stream', 'read-usage'].map(
          (name) => `${NATIVE_FOLDER}/acme-cloud/${name}.ts`,
        ),
      ]),
    ).toEqual([]);
  }, 60_000);

  it('refuses a name that is not kebab-case', () => {
    expect(generate('native-provider/create-native-provider.mjs', ['Acme Cloud', '--root', root])).toMatchObject({ status: 1 });
  });
});

describe('new:management-route', () => {
  let root: string;

  beforeAll(() => {
    root = copyProjects(['libs/contracts', 'apps/management-api']);
  });

  afterAll(() => rmSync(root, { recursive: true }));

  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const run = (...args: string[]) => generate('management-route/create-management-route.mjs', [...args, '--root', root]);

  it('writes row, body, route, spec and address', () => {
    expect(run('vaults', 'open-vault', '--method', 'POST', '--path', '/v1/manage/vault/:id/open')).toMatchObject({ status: 0 });

    expect(read('libs/contracts/src/endpoints.ts')).toContain(
      "  manage('open-vault', 'POST /v1/manage/vault/:id/open', { who: 'organization-admin' }),\n] as const",
    );
    expect(read('libs/contracts/src/management/vaults.ts')).toContain('export const openVaultBody = z.strictObject({});');
    expect(read('libs/contracts/src/index.ts')).toContain("export * from './management/vaults';");
    expect(read('apps/management-api/src/routes/index.ts')).toMatch(
      /import \{ openVault \} from '.\/vaults\/open-vault.route';[\s\S]*\n {2}openVault,\n\]/,
    );
    expect(read('apps/management-api/src/routes/vaults/open-vault.route.ts')).toContain("id: 'open-vault'");
    expect(read('apps/management-api/src/routes/vaults/open-vault.route.spec.ts')).toContain('getEndpoint(openVault.id)');
  });

  it('writes an endpoint without a body that compiles', () => {
    expect(run('vaults', 'close-vault', '--method', 'DELETE', '--path', '/v1/manage/vault/:id')).toMatchObject({ status: 0 });

    const generated = ['apps/management-api/src/routes/vaults/close-vault.route.ts', 'libs/contracts/src/endpoints.ts'];
    expect(listTypeFaults(root, (path) => generated.includes(path), generated)).toEqual([]);
  }, 60_000);

  it('refuses what is there already, and what is no management path', () => {
    expect(run('vaults', 'open-vault', '--method', 'POST', '--path', '/v1/manage/vault')).toMatchObject({ status: 1 });
    expect(run('vaults', 'other', '--method', 'POST', '--path', '/v2/other')).toMatchObject({ status: 1 });
    expect(run('vaults', 'other', '--method', 'STEAL', '--path', '/v1/manage/other')).toMatchObject({ status: 1 });
  });
});
