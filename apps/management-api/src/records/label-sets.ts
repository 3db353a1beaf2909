import { createHash } from 'node:crypto';
import type { Prisma } from '@weir/database';
import { canonicalJson } from '@weir/http-server';

export type Labels = Readonly<Record<string, string>>;

/**
 * The id of the set with exactly these labels. Sets are never changed, so usage keeps the labels of its time; no labels
 * are no set.
 */
export async function ensureLabelSet(
  tx: Prisma.TransactionClient,
  { organizationId, kind, labels }: { organizationId: string; kind: 'key' | 'group'; labels: Labels },
): Promise<string | null> {
  if (Object.keys(labels).length === 0) return null;
  const sha256 = new Uint8Array(createHash('sha256').update(canonicalJson(labels)).digest());
  await tx.labelSet.createMany({ data: { organizationId, kind, labels, sha256 }, skipDuplicates: true });
  const set = await tx.labelSet.findUniqueOrThrow({ where: { organizationId_kind_sha256: { organizationId, kind, sha256 } } });
  return set.id;
}

export function readLabels(set: { labels: Prisma.JsonValue } | null): Labels {
  return (set?.labels ?? {}) as Labels;
}
