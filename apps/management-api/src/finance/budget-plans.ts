import { budgetPlanBody, type BudgetPlanBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import type { PlannedBudget } from '@weir/finance';
import { parseUsd } from '@weir/pricing';
import { readFinanceDocument } from '../records/finance-documents';
import { notFound } from '../records/require-id';

type Transaction = Prisma.TransactionClient;

const WITHOUT_PLAN: BudgetPlanBody = { entries: [] };

/** Where an organization's plan is kept. */
export function budgetPlanOf(organizationId: string) {
  return { organizationId, kind: 'budget-plan', schema: budgetPlanBody, otherwise: WITHOUT_PLAN } as const;
}

/** What is planned for a month: by the plan, and for groups without an entry by the monthly budget that they have. */
export async function readPlanned(tx: Transaction, organizationId: string, month: string): Promise<PlannedBudget[]> {
  const { document } = await readFinanceDocument(tx, budgetPlanOf(organizationId));
  const ofPlan = document.entries
    .filter((entry) => entry.month === month)
    .map(({ subject, amount_usd: amount }) => ({ subject, plannedPico: parseUsd(amount), source: 'plan' as const }));
  const planned = new Set(ofPlan.flatMap(({ subject }) => (subject.kind === 'group' ? [subject.group_id] : [])));
  const groups = await tx.userGroup.findMany({
    where: { organizationId, monthlyBudgetPico: { gt: 0 } },
    select: { id: true, monthlyBudgetPico: true },
    orderBy: { name: 'asc' },
  });
  const ofGroups = groups
    .filter(({ id }) => !planned.has(id))
    .map(({ id, monthlyBudgetPico }) => ({
      subject: { kind: 'group' as const, group_id: id },
      plannedPico: BigInt(monthlyBudgetPico?.toFixed(0) ?? '0'),
      source: 'group_budget' as const,
    }));
  return [...ofPlan, ...ofGroups];
}

/** Throws `not_found` for a group that the organization does not have. */
export async function checkBudgetPlan(tx: Transaction, organizationId: string, { entries }: BudgetPlanBody): Promise<void> {
  const groups = [...new Set(entries.flatMap(({ subject }) => (subject.kind === 'group' ? [subject.group_id] : [])))];
  const found = await tx.userGroup.findMany({ where: { organizationId, id: { in: groups } }, select: { id: true } });
  const ours = new Set(found.map(({ id }) => id));
  const missing = groups.find((id) => !ours.has(id));
  if (missing !== undefined) throw notFound('group', missing);
}
