import { limitListParameters, type LimitDocument, type LimitListParameters } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog } from '@weir/model-catalog';
import { parseBody } from '../bodies/parse-body';
import { checkGroupExists } from './groups';
import { containing, readPagePlan, selectPage, type PagePlan } from './pages';
import { notFound } from './require-id';
import { checkFallbackModel } from './rule-models';
import type { RuleRow } from './rules';

type Transaction = Prisma.TransactionClient;

/** All of them may bind one request: their scopes travel with it, and stand in its events. */
const LIMITS_MAX = 64;

type LimitChange = { readonly document: LimitDocument; readonly catalog: ModelCatalog };

/** Refuses a limit over what is another organization's, one with a fallback that is not there, and one too many. */
export async function checkLimit(
  tx: Transaction,
  organizationId: string,
  change: LimitChange & { readonly isNew: boolean },
): Promise<void> {
  await checkLimitRefers(tx, organizationId, change);
  if (change.isNew && (await tx.organizationRule.count({ where: { organizationId, kind: 'limit' } })) >= LIMITS_MAX)
    throw new GatewayError('conflict', `The organization has ${LIMITS_MAX} limits, the most there can be. Delete one first.`);
}

const OF_WHOM = ['scope', 'group_id', 'member_id', 'api_key_id', 'end_user', 'label', 'value'] as const;

/** Refuses a limit that is about someone else than before: what was counted of one would be counted against the other. */
export async function checkStaysAbout(tx: Transaction, organizationId: string, { id, document }: StoredChange): Promise<void> {
  const stored = await tx.organizationRule.findFirst({ where: { organizationId, kind: 'limit', id } });
  const before = (stored?.document ?? document) as Partial<LimitDocument>;
  const changed = OF_WHOM.find((field) => before[field] !== document[field]);
  if (changed === undefined) return;
  throw new GatewayError(
    'conflict',
    'A limit stays about those it was made for: their scope and who they are. Make another limit, and delete this one.',
    {
      field: changed,
    },
  );
}

type StoredChange = { readonly id: string; readonly document: LimitDocument };

/** Refuses what a limit refers to and the organization does not have. */
export async function checkLimitRefers(tx: Transaction, organizationId: string, { document, catalog }: LimitChange): Promise<void> {
  const { group_id: groupId, api_key_id: apiKeyId, member_id: memberId, fallback_model: model, modalities } = document;
  await checkGroupExists(tx, organizationId, groupId ?? null);
  if (apiKeyId !== undefined && (await tx.apiKey.count({ where: { id: apiKeyId, organizationId } })) === 0)
    throw notFound('API key', apiKeyId);
  if (memberId !== undefined && (await tx.orgMember.count({ where: { organizationId, userId: memberId } })) === 0)
    throw notFound('member', memberId);
  if (model !== undefined) await checkFallbackModel(tx, { organizationId, catalog, model, modalities });
}

type LimitListPlan = PagePlan & { readonly where: Prisma.OrganizationRuleWhereInput; readonly isWithUsage: boolean };

/** Reads the query of the list; unknown parameters are refused by name. */
export function planLimitList(query: Readonly<Record<string, unknown>>): LimitListPlan {
  const { usage, search, limit, cursor, ...filters } = parseBody(limitListParameters, query);
  return {
    ...readPagePlan({ limit, cursor }),
    where: { AND: [...selectFilters(filters), ...(search === undefined ? [] : [{ name: containing(search) }])] },
    isWithUsage: usage === 'true',
  };
}

function selectFilters(
  filters: Pick<LimitListParameters, 'scope' | 'api_key_id' | 'group_id' | 'member_id'>,
): Prisma.OrganizationRuleWhereInput[] {
  return Object.entries(filters).flatMap(([field, value]) => (value === undefined ? [] : [{ document: { path: [field], equals: value } }]));
}

export async function listLimits(tx: Transaction, organizationId: string, plan: LimitListPlan): Promise<RuleRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  return tx.organizationRule.findMany({ where: { organizationId, kind: 'limit', AND: [plan.where], ...where }, ...page });
}
