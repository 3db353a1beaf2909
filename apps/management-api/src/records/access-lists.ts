import { MODALITIES, type Modality } from '@weir/contracts';
import { Prisma } from '@weir/database';
import { takeTurn } from '@weir/http-server';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';
import { selectPage, type PagePlan } from './pages';
import { notFound } from './require-id';

const withEntries = {
  entries: { orderBy: { position: 'asc' }, select: { modality: true, pattern: true } },
} as const satisfies Prisma.AccessListInclude;
type AccessListRow = Prisma.AccessListGetPayload<{ include: typeof withEntries }>;

export async function getAccessList(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<AccessListRow> {
  const list = await tx.accessList.findFirst({ where: { id, organizationId } });
  if (list === null) throw notFound('access list', id);
  const entries: AccessListRow['entries'] = [];
  // All at once may be 25,000 rows, which take longer to read than others are to wait.
  for (const modality of MODALITIES)
    entries.push(...(await tx.accessListEntry.findMany({ ...withEntries.entries, where: { listId: id, modality } })));
  return { ...list, entries };
}

export async function listAccessLists(tx: Prisma.TransactionClient, organizationId: string, plan: PagePlan): Promise<AccessListRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  return tx.accessList.findMany({ where: { organizationId, ...where }, include: withEntries, ...page });
}

/** Refuses a list of another organization; null, for no list, is fine. */
export async function checkAccessListExists(tx: Prisma.TransactionClient, organizationId: string, id: string | null): Promise<void> {
  if (id !== null && (await tx.accessList.count({ where: { id, organizationId } })) === 0) throw notFound('access list', id);
}

export function describeAccessList(list: AccessListRow): Prisma.InputJsonObject & { id: string } {
  return { id: list.id, name: list.name, organization_id: list.organizationId, auto_approve: list.isAutoApprove, ...patternsOf(list) };
}

export function patternsOf({ entries }: AccessListRow): Record<Modality, string[]> {
  const patternsIn = (modality: Modality): string[] => entries.filter((entry) => entry.modality === modality).map(({ pattern }) => pattern);
  return Object.fromEntries(MODALITIES.map((modality) => [modality, patternsIn(modality)])) as Record<Modality, string[]>;
}

/** The patterns of some modalities of a list, as they are about to be in force. */
type EntriesPlan = {
  readonly listId: string;
  readonly patterns: Partial<Record<Modality, readonly string[] | undefined>>;
  /** Without it, a pattern stands for the models that are there today, and for none that come later. */
  readonly isAutoApprove: boolean;
  readonly catalog: ModelCatalog;
  /** The policies and aliases that there are. */
  readonly names: readonly string[];
};

/** Replaces the patterns of the modalities that are given. */
export async function replaceEntries(tx: Prisma.TransactionClient, plan: EntriesPlan): Promise<void> {
  const { listId, patterns } = plan;
  const given = MODALITIES.filter((modality) => patterns[modality] !== undefined);
  await tx.accessListEntry.deleteMany({ where: { listId, modality: { in: given } } });
  for (const modality of given) {
    const wanted = [...new Set(patterns[modality])];
    const frozen = plan.isAutoApprove ? undefined : await freezePatterns(wanted, modality, plan);
    const rows = wanted.map((pattern, position) => ({
      listId,
      modality,
      position,
      pattern,
      matched: frozen?.get(pattern) ?? Prisma.DbNull,
    }));
    // Writing one statement for thousands of rows takes longer than others are to wait.
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx.accessListEntry.createMany({ data: rows.slice(from, from + ROWS_AT_ONCE) });
  }
}

const ROWS_AT_ONCE = 250;

const POLICY_PREFIX = 'policy/';

/**
 * Which of today's models, or policies, each pattern stands for. A model is kept once, with the first pattern that names it, so that
 * many wide patterns do not multiply the catalogue. An exact id needs no keeping: it names itself, whenever it comes.
 */
async function freezePatterns(
  patterns: readonly string[],
  modality: Modality,
  { catalog, names }: Pick<EntriesPlan, 'catalog' | 'names'>,
): Promise<Map<string, string[]>> {
  // Only patterns that begin as names of policies do can fit these.
  const policies = modality === 'chat' ? names.filter((name) => name.startsWith(POLICY_PREFIX)) : [];
  let left = catalog.list(modality).map(({ id }) => id);
  const frozen = new Map<string, string[]>();
  for (const pattern of patterns.filter((one) => one.includes('*'))) {
    await takeTurn();
    const matches = createPatternMatcher([pattern]);
    if (pattern.startsWith(POLICY_PREFIX)) {
      frozen.set(pattern, policies.filter(matches));
      continue;
    }
    frozen.set(pattern, left.filter(matches));
    left = left.filter((id) => !matches(id));
  }
  return frozen;
}
