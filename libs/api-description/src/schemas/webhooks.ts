import { ALERT_SCOPES } from '@weir/contracts';
import { z } from 'zod';
import { nameReply, nameRequest } from './named-schemas';

const amount = z.string().describe('Exact decimal text, in USD or in `unit`.');

const noticedLimit = z.strictObject({
  name: z.string(),
  measure: z.string(),
  window: z.string(),
  window_end: z.iso.datetime().nullable().describe('Null where the window has no end of its own.'),
  amount: z.string().describe('Of the limit.'),
  partition: z.string().nullable().describe('Whom it counts, where it counts each apart.'),
});

const noticedHour = z.strictObject({
  hour: z.iso.datetime().describe('Its beginning.'),
  usual: z.string().describe('What such an hour usually has.'),
  sensitivity: z.enum(['low', 'medium', 'high']),
});

/** What an alert posts to its address. */
export const alertNotice = nameReply(
  'AlertNotice',
  z.strictObject({
    id: z.string().describe('Of the crossing: the same in every delivery of it, and in `x-weir-delivery`.'),
    type: z
      .enum([
        'spend.threshold',
        'balance.low',
        'limit.threshold',
        'usage.anomaly',
        'spend.recovered',
        'balance.recovered',
        'limit.recovered',
        'usage.recovered',
        'test',
      ])
      .describe('`….recovered`: what was noticed is over, of alerts with `notify_recovery`. `test`: someone tries the alert.'),
    alert_id: z.string(),
    organization_id: z.string(),
    scope: z.enum(ALERT_SCOPES),
    api_key_id: z.string().optional(),
    group_id: z.string().optional(),
    member_id: z.string().optional(),
    limit_id: z.string().optional(),
    limit: noticedLimit.optional(),
    anomaly: noticedHour.optional(),
    period: z
      .string()
      .describe(
        'What a notice is once for: the UTC month, as `2026-10`; of a balance, the credit since when it has been falling; the window of a limit; the day and key of an anomaly.',
      ),
    repetition: z.int().optional().describe('Absent in the first notice of a period; counts on with `repeat_hours`.'),
    percentage: z.number().nullable(),
    threshold: amount,
    value: amount,
    currency: z.literal('USD').optional().describe('Where the amounts are money.'),
    unit: z.enum(['USD', 'requests', 'tokens']).optional().describe('Of the scopes `limit` and `anomaly`.'),
    fired_at: z.iso.datetime(),
  }),
);

/** What the scanner of a guardrail is asked. */
export const scanQuestion = nameReply(
  'ScanQuestion',
  z.strictObject({
    stage: z.enum(['input', 'output']),
    request_id: z.string(),
    guardrail: z.string().describe('Its name.'),
    texts: z.array(z.string()),
  }),
);

/** What a scanner returns. */
export const scanVerdict = nameRequest(
  'ScanVerdict',
  z.looseObject({
    verdict: z.enum(['passed', 'flagged']),
    findings: z
      .array(
        z.looseObject({
          name: z.string().max(64).optional().describe('What was found, in a word.'),
          text: z.int().min(0).describe('In which text, from 0.'),
          start: z.int().min(0).describe('In UTF-16 code units.'),
          end: z.int().min(1).describe('Exclusive.'),
        }),
      )
      .max(10_000)
      .optional()
      .describe('Needed to mask; without any the request is blocked.'),
  }),
);
