import { z } from 'zod';
import { decimal } from '../gateway/organization';
import { nameReply } from '../named-schemas';

const subject = z.object({
  kind: z.enum(['organization', 'group', 'label', 'cost_centre']),
  group_id: z.string().optional(),
  label: z.string().optional(),
  value: z.string().optional(),
  cost_centre: z.string().optional(),
});

export const budgetPlan = nameReply(
  'BudgetPlanReply',
  z.object({
    budget_plan: z.object({
      entries: z.array(z.object({ month: z.string(), subject, amount_usd: decimal })),
      version: z.int(),
      since: z.iso.datetime().nullable(),
    }),
  }),
);

const used = {
  actual_usd: decimal.describe('What was used so far, in USD as exact decimal text.'),
  forecast_usd: decimal.nullable().describe('What it will be at the end of the month if it goes on as it did. Null on the first day.'),
};

export const budgetReport = nameReply(
  'BudgetReport',
  z.object({
    budget_report: z.object({
      month: z.string(),
      basis: z.enum(['billed', 'spend', 'charged']),
      status: z.enum(['open', 'closed']),
      as_of: z.iso.datetime(),
      budgets: z.array(
        z.object({
          subject,
          source: z.enum(['plan', 'group_budget']).describe('Who says so: the plan, or the monthly budget of the group.'),
          planned_usd: decimal,
          ...used,
          left_usd: decimal.describe('What is planned less what was used so far; below zero where more was.'),
          variance_usd: decimal.nullable().describe('What is planned less the forecast; below zero where more is expected.'),
        }),
      ),
      rest: z.array(z.object({ kind: z.string(), ...used })).describe('What no budget of a kind of subject is about.'),
      total: z.object(used),
    }),
  }),
);
