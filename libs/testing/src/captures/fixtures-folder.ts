import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve(__dirname, '../../../..');
const DEFAULT_FOLDER = resolve(REPOSITORY, '../shared/data/wire-fixtures');

/** Where the captured replies are: `WIRE_FIXTURES_DIR`, or the folder beside the repository. */
export function getFixturesFolder(): string {
  return resolve(process.env['WIRE_FIXTURES_DIR'] ?? DEFAULT_FOLDER);
}

export function hasFixtures(): boolean {
  return existsSync(getFixturesFolder());
}

export type CaptureFilter = {
  /** Folder or file-name beginnings relative to the fixtures folder, `/` between them. */
  readonly under?: string | readonly string[];
  readonly endsWith?: string | readonly string[];
  readonly matching?: RegExp;
};

/** Paths of captures relative to the fixtures folder, sorted. Throws when the folder is absent, naming what to set. */
export function listCaptures(filter: CaptureFilter = {}): string[] {
  const folder = getFixturesFolder();
  if (!hasFixtures()) throw new Error(describeAbsence());
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'INDEX.md')
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => passes(path, filter))
    .sort();
}

/**
 * `describe` when the captures are there; otherwise one loud line that counts what is skipped, or a failure where
 * `REQUIRE_REAL_PARTS=1` says that nothing may be skipped. `REQUIRE_CAPTURES=0` excepts them: a public clone has none.
 */
export function describeWithFixtures(title: string, suite: () => void): void {
  if (hasFixtures()) return void describe(title, suite);
  if (process.env['REQUIRE_REAL_PARTS'] === '1' && process.env['REQUIRE_CAPTURES'] !== '0') {
    test(`${title}: captures are required`, () => {
      throw new Error(describeAbsence());
    });
    return;
  }
  process.stderr.write(`\n!! SKIPPED "${title}": ${describeAbsence()}\n`);
  describe.skip(title, suite);
}

function describeAbsence(): string {
  return `no captured replies in ${getFixturesFolder()}; set WIRE_FIXTURES_DIR to the folder that holds them`;
}

function passes(path: string, filter: CaptureFilter): boolean {
  return (
    anyOf(filter.under, (start) => path.startsWith(start)) &&
    anyOf(filter.endsWith, (end) => path.endsWith(end)) &&
    (filter.matching === undefined || filter.matching.test(path))
  );
}

function anyOf(wanted: string | readonly string[] | undefined, test: (one: string) => boolean): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? test(wanted) : wanted.some(test);
}
