import { z } from 'zod';
import { currencyCode } from './exchange-rates';

const id = z.uuid().toLowerCase();
const name = z.string().trim().min(1).max(100);

/** A calendar month, UTC. */
export const calendarMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10');

/** Body of `PUT /v1/manage/cost-centre`: the label first, then the rules in their order, then the default. */
export const costCentresBody = z.strictObject({
  /** Of keys, else of groups; its value is the cost centre. */
  label: z.string().min(1).max(64).nullable().default(null),
  rules: z
    .array(
      z
        .strictObject({ cost_centre: name, group_id: id.optional(), api_key_id: id.optional(), member_id: id.optional() })
        .refine((rule) => [rule.group_id, rule.api_key_id, rule.member_id].filter((one) => one !== undefined).length === 1, {
          path: ['cost_centre'],
          message: 'needs exactly one of `group_id`, `api_key_id` and `member_id` beside it',
        }),
    )
    .max(1000)
    .default([]),
  default: name,
});
export type CostCentresBody = z.output<typeof costCentresBody>;

/** Query of `GET /v1/manage/cost-centre/report`. */
export const costCentreReportParameters = z.strictObject({ month: calendarMonth, currency: currencyCode.optional() });
