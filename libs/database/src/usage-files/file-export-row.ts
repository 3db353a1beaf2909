import type { ExportedFile } from '@weir/contracts';
import type { ExportedDay } from '@weir/usage';

/** `writing`: its files are being made. `sealed`: what its manifest says is decided for good. `published`: the manifest is in the bucket. */
export type FileExportState = 'writing' | 'sealed' | 'published';

/** A manifest as it is, or is to be, in the bucket. */
export type SealedManifest = { readonly key: string; readonly sha256: string };

/** A revision of a day, claimed: no one else works on it until the lease ends. */
export type ClaimedExport = ExportedDay & {
  /** Of this claim alone: what a claim of before writes is refused. */
  readonly owner: string;
  readonly state: FileExportState;
  /** By which attempt to build the cubes of the day it was last compared. */
  readonly attempt: bigint;
  /** Null until its first file is begun. */
  readonly fingerprint: string | null;
  readonly asOfMs: number | null;
  /** In the bucket already. */
  readonly files: readonly ExportedFile[];
  /** While it is sealed: the bytes of the manifest. */
  readonly manifestText: string | null;
  readonly manifest: SealedManifest | null;
  readonly failures: number;
};

/** Raised when another process has taken over, or what was claimed is in another state. */
export class LostLease extends Error {
  constructor() {
    super('another process has taken over this export');
    this.name = 'LostLease';
  }
}

export type ExportRow = {
  readonly org_id: string;
  readonly day_seconds: string;
  readonly revision: number;
  readonly state: FileExportState;
  readonly attempt: string;
  readonly fingerprint: string | null;
  readonly as_of_ms: string | null;
  readonly files: readonly ExportedFile[];
  readonly manifest: string | null;
  readonly manifest_key: string | null;
  readonly manifest_sha256: string | null;
  readonly failures: number;
};

export const EXPORT_COLUMNS = `org_id, extract(epoch FROM day)::bigint::text AS day_seconds, revision, state, attempt::text AS attempt, fingerprint,
    floor(extract(epoch FROM as_of) * 1000)::text AS as_of_ms, files, manifest, manifest_key, manifest_sha256, failures`;

export function decodeExport(row: ExportRow, owner: string): ClaimedExport {
  const { manifest_key: key, manifest_sha256: sha256 } = row;
  return {
    organizationId: row.org_id,
    dayMs: Number(row.day_seconds) * 1000,
    revision: row.revision,
    owner,
    state: row.state,
    attempt: BigInt(row.attempt),
    fingerprint: row.fingerprint,
    asOfMs: row.as_of_ms === null ? null : Number(row.as_of_ms),
    files: row.files,
    manifestText: row.manifest,
    manifest: key === null || sha256 === null ? null : { key, sha256 },
    failures: row.failures,
  };
}
