import { LIMIT_SCOPES, type LimitDocument } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { digestPartition } from '@weir/limits';

type Transaction = Prisma.TransactionClient;

/** Whom a limit that holds for each apart has counted. */
export type DescribedPartition = { readonly scope: LimitDocument['scope']; readonly id: string; readonly name: string | null };

/** The limit names no one of its scope: it holds for each apart. */
export function isApart(document: LimitDocument): boolean {
  const { targets, needs }: { readonly targets: readonly string[]; readonly needs: readonly string[] } =
    LIMIT_SCOPES.find(({ name }) => name === document.scope) ?? LIMIT_SCOPES[0];
  const target = targets.find((field) => !needs.includes(field));
  return target !== undefined && document[target as keyof LimitDocument] === undefined;
}

/** Names by partition, of those that have one. Of an end user there is a digest alone, which leads back to no one. */
export async function findPartitionNames(
  tx: Transaction,
  { organizationId, document, partitions }: { organizationId: string; document: LimitDocument; partitions: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const id = { in: [...partitions] };
  if (partitions.length === 0) return new Map();
  switch (document.scope) {
    case 'key':
      return namesById(await tx.apiKey.findMany({ where: { organizationId, id }, select: { id: true, name: true } }));
    case 'group':
      return namesById(await tx.userGroup.findMany({ where: { organizationId, id }, select: { id: true, name: true } }));
    case 'member': {
      const people = await tx.userAccount.findMany({ where: { id }, select: { id: true, email: true } });
      return new Map(people.map(({ id: userId, email }) => [userId, email]));
    }
    case 'api_key_label':
      return findLabelValues(tx, { organizationId, kind: 'key', label: document.label });
    case 'group_label':
      return findLabelValues(tx, { organizationId, kind: 'group', label: document.label });
    case 'organization':
    case 'end_user':
      return new Map();
  }
}

function namesById(rows: readonly { readonly id: string; readonly name: string }[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Values that a label has or had. */
async function findLabelValues(
  tx: Transaction,
  { organizationId, kind, label = '' }: { organizationId: string; kind: 'key' | 'group'; label?: string | undefined },
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<readonly { value: string }[]>`
    SELECT DISTINCT labels ->> ${label} AS value FROM label_set
    WHERE organization_id = ${organizationId}::uuid AND kind = ${kind} AND labels ->> ${label} IS NOT NULL`;
  return new Map(rows.map(({ value }) => [digestPartition(value), value]));
}
