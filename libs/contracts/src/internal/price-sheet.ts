import { z } from 'zod';

/** A USD amount as plain decimal text, never a float: "0.00000015". */
const decimalUsd = z.string().regex(/^\d+(\.\d+)?$/);

/**
 * Prices of one token of each kind, in USD. A tier applies to the whole request once its prompt tokens
 * (cached ones included) exceed `threshold`; the first tier's threshold is 0.
 */
const chatTier = z.object({
  threshold: z.int().min(0),
  input: decimalUsd,
  output: decimalUsd,
  cachedRead: decimalUsd,
  cacheWrite5m: decimalUsd,
  cacheWrite1h: decimalUsd,
  /** Of audio, where it is charged differently from text. */
  audioInput: decimalUsd.optional(),
  audioOutput: decimalUsd.optional(),
});

/** What a model costs, as it travels in the passport. `version` names the price in usage events. */
export const priceSheet = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chat'),
    version: z.string(),
    tiers: z.array(chatTier).min(1),
    /** Per web search call. */
    search: decimalUsd.optional(),
    /** Of those that read more into the context, where they have a fee of their own. */
    searchMedium: decimalUsd.optional(),
    searchHigh: decimalUsd.optional(),
  }),
  z.object({
    kind: z.literal('units'),
    version: z.string(),
    /** Price per unit; which units exist depends on the modality (`input_token`, `second`, `character`, `image`, …). */
    units: z.record(z.string(), decimalUsd),
  }),
]);

export type PriceSheet = z.infer<typeof priceSheet>;
export type ChatPriceSheet = Extract<PriceSheet, { kind: 'chat' }>;
export type UnitPriceSheet = Extract<PriceSheet, { kind: 'units' }>;
