import { usageManifest } from '@weir/contracts';
import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { convertedBy } from './finance';
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
  spend_in_currency: decimal
    .optional()
    .describe(
      '`spend` by the rate of each day, where `currency` asks for it: rounded once, half-even at twelve places. Exact decimal text.',
    ),
  charged: decimal
    .optional()
    .describe('What is owed of `spend` at the organization’s own prices, where it has any: exact decimal text in USD, never rounded.'),
  charged_in_currency: decimal.optional().describe('The same in the currency that was asked for.'),
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
    currency: convertedBy.optional().describe('By what amounts were converted; absent where none were.'),
  }),
);

const milliseconds = z.number().min(0).nullable();
const times = nameReply(
  'PerformanceTimes',
  z.object({
    mean: milliseconds.describe('Of all attempts, exact.'),
    p50: milliseconds.describe('Half of the requests took no longer.'),
    p95: milliseconds.describe('95 of 100 requests took no longer.'),
  }),
);
const performanceFields = {
  requests: count,
  errors: count.describe('Requests that ended in an error. A caller who left is none.'),
  error_share: z.number().min(0).max(1).nullable().describe('`errors` of `requests`, to six digits; null without requests.'),
  attempts: count,
  attempt_errors: count.describe('Attempts that failed, those too after which another one served the request.'),
  milliseconds: times.describe('From admission to end. Unknown of requests that a crash ended.'),
  first_byte_milliseconds: times.describe('From admission to the first byte of the reply, of requests that had one.'),
};
const groupedPerformance = z.object({ ...performanceFields, group_by_values: z.record(z.string(), z.string()) });
const performanceEntry = nameReply(
  'PerformanceEntry',
  z.object({ ...performanceFields, grouped_data: z.array(groupedPerformance).optional() }),
);

export const performance = nameReply(
  'Performance',
  z.object({
    performance: z.record(z.string(), performanceEntry).describe('By the start of each period that has any, RFC 3339 in UTC.'),
    total: performanceEntry.describe('Of the whole range: times of periods cannot be added up.'),
    is_sampled: z.boolean().describe('Whether `p50` and `p95` are of fewer requests than there were. All else is of all of them.'),
    sample: z.object({ requests: count, of: count }).describe('How many requests the times were worked out from, of how many.'),
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

const usageExport = nameReply(
  'UsageExport',
  z.object({
    day: z.iso.date(),
    revision: z.int().min(1),
    state: z
      .enum(['writing', 'sealed', 'published'])
      .describe('`published` when its manifest is in the bucket; until then what there is of it is not whole, or not said to be.'),
    as_of: instant.nullable().describe('When this state of the day was first seen.'),
    published_at: instant.nullable(),
    supersedes: z.int().min(1).nullable().describe('The revision whose place this one takes.'),
    manifest: z
      .object({ key: z.string(), sha256: z.string() })
      .nullable()
      .describe('Of the object in the bucket; null until it is decided.'),
    files: usageManifest.shape.files,
  }),
);

export const usageExports = nameReply(
  'UsageExports',
  z.object({ exports: z.array(usageExport), next: z.string().nullable().describe('The `cursor` of the following page.') }),
);
