import { budgetPlanBody, budgetReportParameters } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { budgetPlan, budgetReport } from '../schemas/management/budgets';
import { nameRequest } from '../schemas/named-schemas';

export const BUDGET_OPERATIONS: readonly Operation[] = [
  {
    id: 'read-budget-plan',
    tag: 'Finance',
    summary: 'Read the plan',
    responses: { 200: { about: 'What is in force.', json: budgetPlan } },
    examples: [{ summary: 'The plan', status: 200 }],
  },
  {
    id: 'replace-budget-plan',
    tag: 'Finance',
    summary: 'Replace the plan',
    about:
      'What the organization, groups, values of a label or cost centres are meant to use in a month. It limits nothing: budgets of groups and limits do. The whole plan is replaced.',
    body: nameRequest('BudgetPlan', budgetPlanBody),
    responses: { 200: { about: 'What is in force now.', json: budgetPlan } },
    errors: ['not_found'],
    examples: [
      {
        summary: 'A group and the whole, for a month',
        body: {
          entries: [
            { month: '2026-11', subject: { kind: 'group', group_id: EXAMPLE_IDS.group }, amount_usd: '1500' },
            { month: '2026-11', subject: { kind: 'organization' }, amount_usd: '10000' },
          ],
        },
        status: 200,
      },
    ],
  },
  {
    id: 'report-budgets',
    tag: 'Finance',
    summary: 'Plan, actual and forecast of a month',
    about:
      'Of each planned subject, and of groups with a monthly budget that the plan says nothing of. The forecast is what was used by the share of the month that has passed; null on the first day; of a month that is over it is what was used. `basis`: `billed`, what is owed (unless given); `spend`, what it is worth; `charged`, at the organization’s own prices.',
    query: budgetReportParameters,
    responses: { 200: { about: 'The month.', json: budgetReport } },
    errors: ['conflict', 'rate_limited'],
    examples: [{ summary: 'A month', query: { month: '2026-10' }, status: 200 }],
  },
];
