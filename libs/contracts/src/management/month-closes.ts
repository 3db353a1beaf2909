import { z } from 'zod';
import { calendarMonth } from './cost-centres';
import { currencyCode } from './exchange-rates';

/** Body of `POST /v1/manage/org/month-close`. */
export const closeMonthBody = z.strictObject({
  month: calendarMonth,
  /** That every day with usage has to have a rate of, besides the currency of invoices. */
  currencies: z.array(currencyCode).max(20).default([]),
});
export type CloseMonthBody = z.output<typeof closeMonthBody>;

/** Body of `POST /v1/manage/org/month-close/reopen`. */
export const reopenMonthBody = z.strictObject({ month: calendarMonth, because: z.string().trim().min(1).max(500) });

/** Query of `GET /v1/manage/org/month-close`. */
export const monthCloseParameters = z.strictObject({ month: calendarMonth });
