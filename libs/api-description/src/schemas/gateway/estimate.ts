import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { plannedLimit } from './planned-limit';

const count = z.int().min(0);
const usd = z.number().min(0);

/** What a request would cost at most, where it would go, and whether it would be let through now. */
export const estimateReply = nameReply(
  'Estimate',
  z.object({
    object: z.literal('estimate'),
    model: z.string(),
    fallback_model: z.string().nullable().describe('Where a full limit sends the request instead.'),
    allowed: z.boolean(),
    refusal: z.object({ code: z.string(), status: z.int(), message: z.string() }).nullable(),
    max_tokens_clamped: count.nullable(),
    cost_max: usd.nullable(),
    attempts: z.array(
      z.object({
        model: z.string(),
        provider: z.string(),
        price_version: z.string(),
        input_tokens_max: count.nullable(),
        output_tokens_max: count.nullable(),
        cost_max: usd,
      }),
    ),
    limits: z.array(
      z.object({
        ...plannedLimit,
        limit: z.number().min(0).describe('In the unit of the measure.'),
        remaining: z.number().nullable().describe('The same; null of a limit that only counts.'),
      }),
    ),
  }),
);
