// Infers for every project what Nx can run: build, typecheck, lint, and test, int and e2e where it has such specs. A new project
// needs a package.json and a tsconfig.json, and nothing else.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { listSpecImports } = require('./list-spec-imports.cjs');

const EXECUTORS = './tools/setup/nx';
/** The suites of jest.config.cjs: how many files of each run at a time on two cores. Of those with real parts one is always waiting. */
const SUITES = {
  test: { suite: 'unit', workers: 2, files: /(?<!\.int|\.e2e)\.spec\.ts$/ },
  int: { suite: 'int', workers: 3, files: /\.int\.spec\.ts$/ },
  e2e: { suite: 'e2e', workers: 2, files: /\.e2e\.spec\.ts$/ },
};
/** Everything waits for what is generated, so that one run of a tool has all projects, instead of two runs a half each. */
const GENERATED = { projects: ['@weir/database', '@weir/console'], target: 'generate' };
const COMPILER = ['compile.mjs', 'plain-exports.mjs', 'nx/**/*'].map((path) => `{workspaceRoot}/tools/setup/${path}`);

module.exports = {
  name: 'weir',
  createNodesV2: ['{apps,libs,tools}/*/package.json', inferProjects],
  createDependencies,
};

function inferProjects(manifests, _options, { workspaceRoot }) {
  const projects = readProjects(manifests, workspaceRoot);
  const nodes = projects.map((project) => [
    project.manifest,
    { projects: { [project.root]: { targets: inferTargets(project, projects) } } },
  ]);
  // What is in no project: pages, scripts, deployment.
  const [first] = manifests;
  if (first !== undefined) nodes.push([first, { projects: { '.': { name: 'weir', targets: { lint: lintTarget([]) } } } }]);
  return nodes;
}

function readProjects(manifests, workspaceRoot) {
  const projects = manifests.map((manifest) => {
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(workspaceRoot, manifest), 'utf8'));
    const root = dirname(manifest).replaceAll('\\', '/');
    const specs = listSpecs(join(workspaceRoot, root, 'src'));
    return { manifest, name, root, specs, uses: Object.keys({ ...dependencies, ...devDependencies }) };
  });
  const names = new Set(projects.map(({ name }) => name));
  return projects.map((project) => ({
    ...project,
    uses: project.uses.filter((name) => names.has(name)),
    specsUse: listSpecImports(project.specs).filter((name) => names.has(name)),
  }));
}

function inferTargets({ name, root, specs, uses, specsUse }, projects) {
  const built = listClosure(uses, projects);
  const tested = listClosure([...uses, ...specsUse], projects).filter((other) => other !== name);
  const targets = {
    build: {
      executor: `${EXECUTORS}:compile`,
      cache: true,
      dependsOn: [GENERATED, ...dependOn(uses, 'build')],
      inputs: ['production', ...readProduction(built), ...COMPILER],
      outputs: ['{projectRoot}/dist'],
    },
    typecheck: {
      executor: `${EXECUTORS}:typecheck`,
      cache: true,
      dependsOn: [GENERATED],
      inputs: ['default', ...readProduction(tested), '{workspaceRoot}/tsconfig.spec.json', ...COMPILER],
    },
    lint: lintTarget(tested),
  };
  for (const [target, { suite, workers, files }] of Object.entries(SUITES)) {
    if (!specs.some((path) => files.test(path))) continue;
    const report = `{workspaceRoot}/.tmp/test-reports/${suite}/${root.replaceAll('/', '-')}.json`;
    targets[target] = {
      executor: `${EXECUTORS}:jest`,
      options: { suite, workers },
      outputs: [report],
      ...(target === 'test' ? testUnits(tested) : testWithRealParts(projects)),
    };
  }
  return targets;
}

function testUnits(tested) {
  return { cache: true, dependsOn: [GENERATED], inputs: ['default', 'readBySpecs', 'testTools', ...readProduction(tested)] };
}

/** What these start is built code, of any project, and parts whose version Nx does not know: they always run. */
function testWithRealParts(projects) {
  return {
    cache: false,
    dependsOn: dependOn(
      projects.map(({ name }) => name),
      'build',
    ),
  };
}

function lintTarget(uses) {
  return {
    executor: `${EXECUTORS}:lint`,
    cache: true,
    dependsOn: [GENERATED],
    inputs: ['default', 'lintTools', ...readProduction(uses)],
  };
}

function dependOn(projects, target) {
  return projects.length === 0 ? [] : [{ projects, target }];
}

function readProduction(projects) {
  return projects.length === 0 ? [] : [{ input: 'production', projects }];
}

/** What projects use, and what that uses, by their manifests: production alone. */
function listClosure(names, projects) {
  const usesOf = new Map(projects.map(({ name, uses }) => [name, uses]));
  const all = new Set(names);
  for (const name of all) for (const next of usesOf.get(name) ?? []) all.add(next);
  return [...all].sort();
}

function listSpecs(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((path) => /\.(spec|conformance)\.ts$|__fixtures__.*\.ts$/.test(path))
    .map((path) => join(folder, path))
    .sort();
}

/**
 * Nx knows a project's dependencies by its manifest. What only its specs import is added here, so that `nx affected` finds their
 * tests too. Lint leaves these out (eslint.config.mjs): a spec may use what uses the library it tests, which is no circle.
 */
function createDependencies(_options, { projects, workspaceRoot }) {
  if (process.env.NX_GRAPH_OF_PRODUCTION === 'true') return [];
  return Object.entries(projects)
    .filter(([, { root }]) => root !== '.')
    .flatMap(([source, { root }]) =>
      listSpecImports(listSpecs(join(workspaceRoot, root, 'src')))
        .filter((target) => target in projects && target !== source)
        .map((target) => ({ source, target, type: 'implicit' })),
    );
}
