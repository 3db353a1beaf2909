import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';
import { currencyCode } from './exchange-rates';

/** One period of usage, as finance reads it. `spend` is exact decimal text in USD. */
export type UsageEntry = {
  completions_requests: number;
  embedding_requests: number;
  image_requests: number;
  speech_requests: number;
  transcription_requests: number;
  total_requests: number;
  spend: string;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  /** `spend` by each day's rate, where a currency was asked for: exact decimal text, rounded once at twelve places. */
  spend_in_currency?: string;
  /** At the organization's own prices, where it has any: exact decimal text in USD. */
  charged?: string;
  charged_in_currency?: string;
};

export type GroupedUsageEntry = UsageEntry & { group_by_values: Record<string, string> };

/** `{usage: {"2026-08-07T00:00:00Z": entry}}`; with `group_by`, each entry also lists its groups. */
export type UsageResponse = {
  usage: Record<string, UsageEntry & { grouped_data?: GroupedUsageEntry[] }>;
  /** Up to which moment usage was counted when this was answered. */
  as_of?: string;
  /** Where free text was too varied to be kept apart; absent when nothing was folded together. */
  warnings?: UsageWarning[];
  currency?: ConvertedBy;
};

/** By what amounts were converted: the rate of each day that has any, and the day that it was published on. */
export type ConvertedBy = { code: string; rates: { day: string; published_on: string; per_usd: string }[] };

/** A bound on distinct values that was met on a UTC day. Totals stay exact, only the split by free text is coarser. */
export type UsageWarning = { day: string; bound: 'fields' | 'values' | 'series'; field?: string; message: string };

/** Enough for every dimension at once, with labels and free fields beside them. */
export const GROUP_BY_MAX = 20;

/** How much may be asked for at once: dimensions, alternatives of one, and characters of one of them. */
export const FILTER_DIMENSIONS_MAX = 20;
export const FILTER_VALUES_MAX = 100;
export const FILTER_CHARS_MAX = 512;

const filterValue = z.string().max(FILTER_CHARS_MAX);
/** By dimension: one value, or several of which usage has one. */
export const usageFilter = z
  .record(z.string(), z.union([filterValue, z.array(filterValue).min(1).max(FILTER_VALUES_MAX)]))
  .refine(...bounded({ entriesMax: FILTER_DIMENSIONS_MAX }));

const oneOrMany = z.union([z.string().max(200), z.array(z.string().max(200)).max(GROUP_BY_MAX)]);

/** Parameters of every usage endpoint, from a query string or a JSON body. */
export const usageParameters = z.strictObject({
  start: z.iso.datetime({ offset: true }),
  end: z.iso.datetime({ offset: true }).optional(),
  resolution: z.enum(['hour', 'day', 'month']).optional(),
  group_by: oneOrMany.optional(),
  /** In a query string `filter[<dimension>]=<value>`. */
  filter: z.unknown().optional(),
});
/** Of questions about usage, beside the parameters of every usage endpoint. */
export const usageReplyParameters = z.strictObject({
  currency: currencyCode.optional(),
  /** Periods without usage have an entry of zeros; without it they have none. */
  fill: z.enum(['zero']).optional(),
  /** So many calendar months from `start` on, in place of `end`. */
  months: z.coerce.number().int().min(1).max(24).optional(),
});
export type UsageParameters = z.infer<typeof usageParameters>;

/** Query of `GET /v1/manage/org/usage/export`: a calendar month or a day, UTC, that has begun. Without `format` it is what `Accept` prefers. */
export const usageExportParameters = z.strictObject({
  period: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])(-\d{2})?$/, 'must be a month such as 2026-10 or a day such as 2026-10-07'),
  format: z.enum(['csv', 'xlsx', 'focus']).optional(),
  resolution: z.enum(['hour', 'day', 'month']).optional(),
  /** Today's names and e-mails beside the ids; without them a file of a closed period stays the same when something is renamed. */
  names: z.enum(['true', 'false']).optional(),
  /** Amounts in this currency beside those in USD, by each day's rate. */
  currency: currencyCode.optional(),
  filter: z.unknown().optional(),
});
export type UsageExportParameters = z.output<typeof usageExportParameters>;

/** Query of `GET /v1/manage/org/usage/exports`: newest day first, a page at a time. */
export const usageExportListParameters = z.strictObject({
  /** Days from this one on. */
  from: z.iso.date().optional(),
  /** Days up to this one. */
  to: z.iso.date().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** What the page before returned as `next`: `<day>.<revision>`. */
  cursor: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}\.[1-9]\d{0,8}$/, 'must be what the page before returned as `next`')
    .optional(),
});

/** Query of `GET /v1/manage/reconciliation`; the present month unless given. */
export const reconciliationParameters = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10')
    .optional(),
});
