import { createApiDocument } from '@weir/api-description';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './repository/read-repository';

type Schema = { readonly [key: string]: unknown };
type Operation = { readonly operationId: string; readonly requestBody?: Schema; readonly responses: Readonly<Record<string, Schema>> };
type Selected = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');

/** What the clients are generated from: `selectManagement`, and for Python `openWords` of it. */
function select(): { selected: Selected; opened: Selected } {
  const script = `
    import { openWords, selectManagement } from ${JSON.stringify(join(REPOSITORY, 'clients', 'select-management.mjs'))};
    import { readFileSync } from 'node:fs';
    const selected = selectManagement(JSON.parse(readFileSync(0, 'utf8')));
    process.stdout.write(JSON.stringify({ selected, opened: openWords(selected) }));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    input: JSON.stringify(createApiDocument()),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { selected: Selected; opened: Selected };
}

function listOperations({ paths }: Selected): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

describe('what the clients of the management interface are generated from', () => {
  const { selected, opened } = select();

  it('has every management operation, and none that calls a model', () => {
    const all = Object.entries(createApiDocument().paths);
    const management = all.filter(([path]) => path.startsWith('/v1/manage/')).map(([path]) => path);

    expect(management.length).toBeGreaterThan(40);
    expect(Object.keys(selected.paths)).toEqual(expect.arrayContaining([...management, '/v1/session']));
    expect(listOperations(selected).filter(({ operationId }) => /completions|messages|embeddings|speech/.test(operationId))).toEqual([]);
  });

  it('has every schema that it refers to, and no other', () => {
    const referred = new Set([...JSON.stringify(selected).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));

    expect(referred.size).toBeGreaterThan(80);
    expect(Object.keys(selected.components.schemas).sort()).toEqual([...referred].sort());
  });

  it('has lists of words in what is sent alone, where replies are read by them', () => {
    const words = /"enum":\[/;
    const { ApiKey, CreateApiKey } = opened.components.schemas;

    expect(JSON.stringify(selected.components.schemas['ApiKey'])).toMatch(words);
    expect(JSON.stringify(CreateApiKey)).toMatch(words);
    expect(JSON.stringify(ApiKey)).not.toMatch(words);
    for (const { responses } of listOperations(opened)) expect(JSON.stringify(responses)).not.toMatch(words);
  });
});

describe('the manifests of the clients', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };

  it('have the version of the gateway, which a release gives them', () => {
    expect(JSON.parse(read('clients', 'typescript', 'package.json'))).toMatchObject({ version });
    expect(/^version = "(.*)"$/m.exec(read('clients', 'python', 'pyproject.toml'))?.[1]).toBe(version);
  });

  it('need what the client was tried with', () => {
    const { dependencies } = JSON.parse(read('clients', 'typescript', 'package.json')) as { dependencies: Record<string, string> };
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };

    expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
    for (const [name, wanted] of Object.entries(dependencies)) expect([name, wanted]).toEqual([name, optionalDependencies[name]]);
    for (const line of read('clients', 'python', 'generator-requirements.txt').match(/^\w.*$/gm) ?? [])
      expect(line).toMatch(/^[\w.-]+==\S+ /);
  });
});
