import { z } from 'zod';
import { calendarMonth } from './cost-centres';
import { costSubject } from './invoices';

const amount = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,12})?$/, 'must be a decimal number of USD as text, such as "1500"')
  .refine((text) => /[1-9]/.test(text), { message: 'must be above 0' });

/** Body of `PUT /v1/manage/budget-plan`. */
export const budgetPlanBody = z.strictObject({
  entries: z
    .array(z.strictObject({ month: calendarMonth, subject: costSubject, amount_usd: amount }))
    .max(5000)
    .refine((entries) => new Set(entries.map(({ month, subject }) => JSON.stringify([month, subject]))).size === entries.length, {
      message: 'plans the same subject once a month',
    }),
});
export type BudgetPlanBody = z.output<typeof budgetPlanBody>;

/** Query of `GET /v1/manage/budget-plan/report`. */
export const budgetReportParameters = z.strictObject({
  month: calendarMonth,
  basis: z.enum(['billed', 'spend', 'charged']).default('billed'),
});
