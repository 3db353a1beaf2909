import type { UsageDataset, UsageFileFormat } from '@weir/contracts';

/** One revision of one day of an organization. */
export type ExportedDay = {
  readonly organizationId: string;
  /** UTC epoch milliseconds of its start. */
  readonly dayMs: number;
  readonly revision: number;
};

/** Of the layout of the bucket and of the columns: another one begins a tree of its own. */
const LAYOUT = 'v1';
const FINGERPRINT_DIGITS = 12;
const ENDINGS: Readonly<Record<UsageFileFormat, string>> = { parquet: 'parquet', csv: 'csv.gz' };

export function nameDay(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

/**
 * The key of a file. It names the state of the day, so that what a process writes that was thought dead is either the same bytes or
 * another object. Partitions are called otherwise than columns, which some readers insist on.
 */
export function nameFileObject(
  prefix: string,
  { organizationId, dayMs, revision }: ExportedDay,
  { dataset, format, fingerprint }: { readonly dataset: UsageDataset; readonly format: UsageFileFormat; readonly fingerprint: string },
): string {
  const day = nameDay(dayMs);
  const file = `${dataset}-${day}-r${revision}-${fingerprint.slice(0, FINGERPRINT_DIGITS)}.${ENDINGS[format]}`;
  return joinKey(prefix, [LAYOUT, dataset, format, `organization=${organizationId}`, `day=${day}`, `rev=${revision}`, file]);
}

/** The key of the manifest of a revision. */
export function nameManifest(prefix: string, { organizationId, dayMs, revision }: ExportedDay): string {
  const day = nameDay(dayMs);
  return joinKey(prefix, [LAYOUT, 'manifests', `organization=${organizationId}`, `day=${day}`, `manifest-${day}-r${revision}.json`]);
}

function joinKey(prefix: string, parts: readonly string[]): string {
  return [...(prefix === '' ? [] : [prefix]), ...parts].join('/');
}
