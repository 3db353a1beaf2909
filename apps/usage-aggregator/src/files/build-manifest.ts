import { createHash } from 'node:crypto';
import type { ExportedFile, UsageManifest } from '@weir/contracts';
import type { ClaimedExport, SettledDay } from '@weir/database';
import { encodeInstant, encodeTotals, nameDay, nameManifest } from '@weir/usage';

type ManifestParts = {
  readonly claimed: ClaimedExport;
  readonly day: SettledDay;
  readonly supersedes: UsageManifest['supersedes'];
  readonly leftOut: UsageManifest['left_out'];
};

export type BuiltManifest = { readonly key: string; readonly text: string; readonly sha256: string };

/** What says that the files of a revision are whole; equal parts make equal bytes. */
export function buildManifest(prefix: string, { claimed, day, supersedes, leftOut }: ManifestParts): BuiltManifest {
  const manifest: UsageManifest = {
    v: 1,
    organization_id: claimed.organizationId,
    day: nameDay(claimed.dayMs),
    revision: claimed.revision,
    supersedes,
    as_of: encodeInstant(claimed.asOfMs),
    fingerprint: day.fingerprint,
    totals: encodeTotals(day.totals),
    files: [...claimed.files].sort(byKey),
    left_out: [...leftOut],
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  return { key: nameManifest(prefix, claimed), text, sha256: createHash('sha256').update(text).digest('hex') };
}

function byKey({ key: one }: ExportedFile, { key: other }: ExportedFile): number {
  return one < other ? -1 : 1;
}
