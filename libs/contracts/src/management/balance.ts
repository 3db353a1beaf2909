import { z } from 'zod';

/** USD of up to twelve decimal places. */
const amount = z.number().min(0).max(1e9);

/** Query of `GET /v1/manage/balance/history`: newest first, a page at a time. */
export const balanceHistoryParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** What the page before answered as `next`. */
  cursor: z.string().min(1).max(200).optional(),
});

/** Body of `PUT /v1/manage/balance/auto-top-up`. */
export const autoTopUpBody = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** A balance below it is topped up. */
    threshold: amount,
    amount: amount.positive(),
    /** All charges of a UTC month together. */
    monthly_cap: amount.positive(),
  })
  .refine((body) => body.monthly_cap >= body.amount, { path: ['monthly_cap'], message: 'must be at least `amount`' });
