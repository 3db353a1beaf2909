import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { decimal } from '../gateway/organization';

const count = z.int().min(0);
const instant = z.iso.datetime();

const entryFields = {
  completions_requests: count,
  embedding_requests: count,
  image_requests: count,
  speech_requests: count,
  transcription_requests: count,
  total_requests: count,
  spend: decimal,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
};
const grouped = z.object({ ...entryFields, group_by_values: z.record(z.string(), z.string()) });
const entry = nameReply('UsageEntry', z.object({ ...entryFields, grouped_data: z.array(grouped).optional() }));
const warning = z.object({
  day: z.string(),
  bound: z.enum(['fields', 'values', 'series']),
  field: z.string().optional(),
  message: z.string(),
});

export const usage = nameReply(
  'Usage',
  z.object({
    usage: z.record(z.string(), entry).describe('By the start of each period that has any, RFC 3339 in UTC.'),
    as_of: instant.optional().describe('Up to which moment usage was counted.'),
    warnings: z.array(warning).optional().describe('Free text that was too varied to be kept apart.'),
  }),
);

export const reconciliation = nameReply(
  'Reconciliation',
  z.object({
    reconciliation: z.object({
      month: z.string(),
      as_of: instant,
      places: z.array(
        z.object({
          place: z.string(),
          attempts: z.string().nullable(),
          requests: z.string().nullable(),
          spend_usd: decimal.nullable(),
          billed_usd: decimal.nullable(),
        }),
      ),
      differences: z.array(z.object({ between: z.unknown(), what: z.string(), by: z.string() })),
      unexplained_usd: decimal,
      is_complete: z.boolean(),
    }),
  }),
);
