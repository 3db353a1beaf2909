import { costCentresBody, type CostCentresBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { NO_COST_CENTRES } from '@weir/finance';
import { readFinanceDocument, type FinanceDocument } from '../records/finance-documents';
import { notFound } from '../records/require-id';

/** Where an organization's rules of cost centres are kept. */
export function costCentresOf(organizationId: string) {
  return { organizationId, kind: 'cost-centres', schema: costCentresBody, otherwise: WITHOUT_RULES } as const;
}

const WITHOUT_RULES: CostCentresBody = { ...NO_COST_CENTRES, rules: [] };

export async function readCostCentreRules(tx: Prisma.TransactionClient, organizationId: string): Promise<FinanceDocument<CostCentresBody>> {
  return readFinanceDocument(tx, costCentresOf(organizationId));
}

/** Throws `not_found` for a group, key or member that the organization does not have. */
export async function checkCostCentreRules(
  tx: Prisma.TransactionClient,
  organizationId: string,
  { rules }: CostCentresBody,
): Promise<void> {
  const named = (pick: (rule: CostCentresBody['rules'][number]) => string | undefined): string[] => [
    ...new Set(rules.flatMap((rule) => pick(rule) ?? [])),
  ];
  const [groups, keys, members] = [named((rule) => rule.group_id), named((rule) => rule.api_key_id), named((rule) => rule.member_id)];
  const ofGroups = await tx.userGroup.findMany({ where: { organizationId, id: { in: groups } }, select: { id: true } });
  const ofKeys = await tx.apiKey.findMany({ where: { organizationId, id: { in: keys } }, select: { id: true } });
  const ofMembers = await tx.orgMember.findMany({ where: { organizationId, userId: { in: members } }, select: { userId: true } });
  requireAll('group', groups, new Set(ofGroups.map(({ id }) => id)));
  requireAll('API key', keys, new Set(ofKeys.map(({ id }) => id)));
  requireAll('member', members, new Set(ofMembers.map(({ userId }) => userId)));
}

function requireAll(what: 'group' | 'API key' | 'member', asked: readonly string[], found: ReadonlySet<string>): void {
  const missing = asked.find((id) => !found.has(id));
  if (missing !== undefined) throw notFound(what, missing);
}
