import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readRepository, REPOSITORY } from './repository/read-repository';

type Target = { readonly inputs?: readonly unknown[]; readonly dependsOn?: readonly unknown[]; readonly cache?: boolean };
type Inferred = {
  readonly targets: Readonly<Record<string, Readonly<Record<string, Target>>>>;
  readonly dependencies: readonly { readonly source: string; readonly target: string }[];
};

const SCRIPT = `
  const [root, ...manifests] = process.argv.slice(1);
  const plugin = require(${JSON.stringify(join(REPOSITORY, 'tools/setup/nx/plugin.cjs'))});
  const nodes = plugin.createNodesV2[1](manifests, undefined, { workspaceRoot: root });
  const targets = Object.assign({}, ...nodes.map(([, { projects }]) =>
    Object.fromEntries(Object.entries(projects).map(([folder, { targets }]) => [folder, targets]))));
  const projects = Object.fromEntries(manifests.map((path) => [require(root + '/' + path).name, { root: path.replace('/package.json', '') }]));
  const dependencies = plugin.createDependencies(undefined, { projects, workspaceRoot: root });
  process.stdout.write(JSON.stringify({ targets, dependencies }));
`;

/** What the plugin infers for three projects: `top` uses `middle`, that uses `bottom`, and a spec of `bottom` uses `middle`. */
function infer(env: Record<string, string> = {}): Inferred {
  const root = mkdtempSync(join(tmpdir(), 'targets-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  try {
    const uses = { bottom: {}, middle: { '@weir/bottom': '0.1.0' }, top: { '@weir/middle': '0.1.0' } };
    for (const [name, dependencies] of Object.entries(uses)) {
      write(`libs/${name}/package.json`, JSON.stringify({ name: `@weir/${name}`, dependencies }));
      write(`libs/${name}/src/index.ts`, 'export {};\n');
    }
    write('libs/bottom/src/a.spec.ts', "import { it } from '@weir/middle';\n");
    write('libs/top/src/b.int.spec.ts', '');
    const manifests = Object.keys(uses).map((name) => `libs/${name}/package.json`);
    const output = execFileSync(process.execPath, ['--eval', SCRIPT, root, ...manifests], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    });
    return JSON.parse(output) as Inferred;
  } finally {
    rmSync(root, { recursive: true });
  }
}

const production = (...projects: readonly string[]) => ({ input: 'production', projects });

describe('what Nx can run', () => {
  it('is inferred for every project, with a suite where there are specs of it', () => {
    const { targets } = infer();

    expect(Object.keys(targets['libs/bottom'] ?? {})).toEqual(['build', 'typecheck', 'lint', 'test']);
    expect(Object.keys(targets['libs/middle'] ?? {})).toEqual(['build', 'typecheck', 'lint']);
    expect(Object.keys(targets['libs/top'] ?? {})).toEqual(['build', 'typecheck', 'lint', 'int']);
    expect(Object.keys(targets['.'] ?? {})).toEqual(['lint']);
  });

  it('is not hidden by scripts of the same name in a manifest', () => {
    const manifests = readRepository().files.filter(({ path }) => /^(apps|libs|tools)\/[^/]+\/package\.json$/.test(path));
    const hidden = manifests
      .filter(({ text }) => 'scripts' in (JSON.parse(text) as object))
      .map(({ path }) => `${path}: has scripts; Nx infers them`);

    expect(manifests.length).toBeGreaterThan(30);
    expect(hidden).toEqual([]);
  });

  it('builds again when something changes that the project uses, directly or not, and not for what its specs use', () => {
    const { targets } = infer();

    expect(targets['libs/top']?.['build']?.inputs).toContainEqual(production('@weir/bottom', '@weir/middle'));
    expect(JSON.stringify(targets['libs/bottom']?.['build']?.inputs)).not.toContain('@weir/');
  });

  it('tests again when something changes that a spec uses', () => {
    expect(infer().targets['libs/bottom']?.['test']?.inputs).toContainEqual(production('@weir/middle'));
  });

  it('never reads tests with real parts from the cache', () => {
    expect(infer().targets['libs/top']?.['int']).toMatchObject({ cache: false });
  });

  it('knows for nx affected what only specs import, and leaves it out of the graph that the boundary rule reads', () => {
    expect(infer().dependencies).toEqual([{ source: '@weir/bottom', target: '@weir/middle', type: 'implicit' }]);
    expect(infer({ NX_GRAPH_OF_PRODUCTION: 'true' }).dependencies).toEqual([]);
  });
});
