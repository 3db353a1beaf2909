// `npm run release -- 0.2.0 [--dry-run]`: gives every project the version and writes the changelog from the commits since the last
// tag. Nx does both; nothing is committed, tagged or published here, so that a person reads the result first.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const UNRELEASED = '## [Unreleased]\n';
/** Where a client says its version. */
const CLIENTS = {
  'typescript/package.json': /^( {2}"version": ")[^"]*(",)$/m,
  'python/pyproject.toml': /^(version = ")[^"]*(")$/m,
};

Object.assign(process.env, { NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_LOAD_DOT_ENV_FILES: 'false' });
const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean', default: false } } });
const [specifier] = positionals;
if (!/^(major|minor|patch|\d+\.\d+\.\d+)$/.test(specifier ?? '')) {
  console.error('release: which version? npm run release -- 0.2.0 (or major, minor, patch) [--dry-run]');
  process.exit(1);
}

const dryRun = values['dry-run'];
const { default: release } = await import('nx/release/index.js');
const client = new release.ReleaseClient({ conventionalCommits: { types: describeAreas() } });
const { workspaceVersion, projectsVersionData } = await client.releaseVersion({ specifier, dryRun });
const { workspaceChangelog } = await client.releaseChangelog({ version: workspaceVersion, versionData: projectsVersionData, dryRun: true });
if (!dryRun) {
  versionClients(workspaceVersion);
  versionChart(workspaceVersion);
  writeChangelog(workspaceChangelog?.contents ?? '');
  console.log(`\nRead CHANGELOG.md, then: git commit -am "release: ${workspaceVersion}" && git tag v${workspaceVersion}`);
}
process.exit(0);

/** Commits are `area: summary`: every area of the history is a type of its own, and none of them decides the version. */
function describeAreas() {
  const subjects = execFileSync('git', ['log', '--format=%s'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const areas = new Set(subjects.flatMap((subject) => /^([^\s():!]+)!?: /.exec(subject)?.[1] ?? []));
  return Object.fromEntries([...areas].map((area) => [area, { semverBump: 'none', changelog: { title: area } }]));
}

/** They are no projects of the workspace, and have its version. */
function versionClients(version) {
  for (const [name, pattern] of Object.entries(CLIENTS)) {
    const path = join(ROOT, 'clients', name);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(pattern, (_, before, after) => `${before}${version}${after}`),
    );
  }
}

/** The chart has the version of what it installs. */
function versionChart(version) {
  const path = join(ROOT, 'k8s', 'chart', 'Chart.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}

/** What was written by hand as not yet released leads the version's entry; the commits follow. */
function writeChangelog(entry) {
  const path = join(ROOT, 'CHANGELOG.md');
  const text = readFileSync(path, 'utf8');
  const from = text.indexOf(UNRELEASED) + UNRELEASED.length;
  const next = text.indexOf('\n## [', from);
  const to = next === -1 ? text.length : next;
  const [title, ...changes] = entry.trim().split('\n');
  const released = [title, '', text.slice(from, to).trim(), ...changes].join('\n');
  writeFileSync(path, `${text.slice(0, from)}\n${released}\n${text.slice(to)}`);
}
