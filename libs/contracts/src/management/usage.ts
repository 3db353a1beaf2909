import { z } from 'zod';

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
};

export type GroupedUsageEntry = UsageEntry & { group_by_values: Record<string, string> };

/** `{usage: {"2026-08-07T00:00:00Z": entry}}`; with `group_by`, each entry also lists its groups. */
export type UsageResponse = { usage: Record<string, UsageEntry & { grouped_data?: GroupedUsageEntry[] }>; as_of?: string };

const oneOrMany = z.union([z.string().max(200), z.array(z.string().max(200)).max(10)]);

/** Parameters of every usage endpoint, from a query string or a JSON body. */
export const usageParameters = z.strictObject({
  start: z.iso.datetime({ offset: true }),
  end: z.iso.datetime({ offset: true }).optional(),
  resolution: z.enum(['hour', 'day', 'month']).optional(),
  group_by: oneOrMany.optional(),
});
export type UsageParameters = z.infer<typeof usageParameters>;
