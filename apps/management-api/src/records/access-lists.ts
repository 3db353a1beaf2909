import { MODALITIES, type Modality } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { notFound } from './require-id';

const withEntries = { entries: { orderBy: { position: 'asc' } } } as const satisfies Prisma.AccessListInclude;
export type AccessListRow = Prisma.AccessListGetPayload<{ include: typeof withEntries }>;

export async function getAccessList(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<AccessListRow> {
  const list = await tx.accessList.findFirst({ where: { id, organizationId }, include: withEntries });
  if (list === null) throw notFound('access list', id);
  return list;
}

export async function listAccessLists(tx: Prisma.TransactionClient, organizationId: string): Promise<AccessListRow[]> {
  return tx.accessList.findMany({ where: { organizationId }, include: withEntries, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** Refuses a list of another organization; null, for no list, is fine. */
export async function checkAccessListExists(tx: Prisma.TransactionClient, organizationId: string, id: string | null): Promise<void> {
  if (id !== null && (await tx.accessList.count({ where: { id, organizationId } })) === 0) throw notFound('access list', id);
}

export function describeAccessList(list: AccessListRow): Prisma.InputJsonObject & { id: string } {
  const patterns = Object.fromEntries(
    MODALITIES.map((modality) => [modality, list.entries.filter((entry) => entry.modality === modality).map((entry) => entry.pattern)]),
  );
  return { id: list.id, name: list.name, organization_id: list.organizationId, auto_approve: list.isAutoApprove, ...patterns };
}

/** Replaces the patterns of the modalities that are given. */
export async function replaceEntries(
  tx: Prisma.TransactionClient,
  listId: string,
  patterns: Partial<Record<Modality, readonly string[] | undefined>>,
): Promise<void> {
  const given = MODALITIES.filter((modality) => patterns[modality] !== undefined);
  await tx.accessListEntry.deleteMany({ where: { listId, modality: { in: given } } });
  const entries = given.flatMap((modality) =>
    [...new Set(patterns[modality])].map((pattern, position) => ({ listId, modality, position, pattern })),
  );
  if (entries.length > 0) await tx.accessListEntry.createMany({ data: entries });
}
