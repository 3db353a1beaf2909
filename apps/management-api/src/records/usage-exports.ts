import type { ExportedFile } from '@weir/contracts';

type UsageExportRow = {
  readonly day: Date;
  readonly revision: number;
  readonly state: string;
  readonly asOf: Date | null;
  readonly publishedAt: Date | null;
  readonly manifestKey: string | null;
  readonly manifestDigest: string | null;
  readonly files: unknown;
};

type DescribedExport = {
  readonly day: string;
  readonly revision: number;
  readonly state: string;
  readonly as_of: string | null;
  readonly published_at: string | null;
  readonly supersedes: number | null;
  readonly manifest: { readonly key: string; readonly sha256: string } | null;
  readonly files: readonly ExportedFile[];
};

/** A revision of an exported day as the interface shows it. */
export function describeUsageExport({ manifestKey: key, manifestDigest: sha256, ...row }: UsageExportRow): DescribedExport {
  return {
    day: row.day.toISOString().slice(0, 10),
    revision: row.revision,
    state: row.state,
    as_of: row.asOf?.toISOString() ?? null,
    published_at: row.publishedAt?.toISOString() ?? null,
    supersedes: row.revision === 1 ? null : row.revision - 1,
    manifest: key === null || sha256 === null ? null : { key, sha256 },
    files: row.files as ExportedFile[],
  };
}
