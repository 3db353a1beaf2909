import { z } from 'zod';
import { nameReply, nameRequest } from './named-schemas';

const usd = z.string().describe('USD as exact decimal text.');

/** What an alert posts to its address. */
export const alertNotice = nameReply(
  'AlertNotice',
  z.strictObject({
    id: z.string().describe('Of the crossing: the same in every delivery of it, and in `x-weir-delivery`.'),
    type: z.enum(['spend.threshold', 'balance.low']),
    alert_id: z.string(),
    organization_id: z.string(),
    scope: z.enum(['key', 'member', 'group', 'balance']),
    api_key_id: z.string().optional(),
    group_id: z.string().optional(),
    member_id: z.string().optional(),
    period: z.string().describe('The UTC month, as `2026-10`; of a balance, the credit since when it has been falling.'),
    percentage: z.number().nullable(),
    threshold: usd,
    value: usd,
    currency: z.literal('USD'),
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
