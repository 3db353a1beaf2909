import { z } from 'zod';
import { nameReply } from '../named-schemas';
import { decimal } from './organization';

const count = z.number().min(0);
const text = z.string().nullable();
const guardrail = z
  .enum(['passed', 'flagged', 'masked', 'not_scanned', 'scan_error'])
  .nullable()
  .describe('Null on requests of before there was a verdict.');

const tokens = z.looseObject({ input: count, output: count, cached_input: count, cache_write: count, reasoning: count });
const attempt = z.looseObject({
  number: z.int().min(1),
  model: z.string(),
  provider: z.string(),
  region: text,
  own_key: z.boolean(),
  why_chosen: z.string(),
  why_left: text.describe('Why the next place was tried; null for the one that served the request.'),
  status: z.string(),
  provider_status: z.int().nullable(),
  error_origin: text,
  milliseconds: count,
  first_byte_milliseconds: count.nullable(),
  tokens,
  tokens_source: z.enum(['provider', 'tokenizer', 'estimate']),
  price_version: z.string(),
  cost: decimal,
  billed: decimal,
  guardrail,
  uncharged: z.looseObject({ tokens, cost: decimal }).nullable(),
  doubted: z
    .looseObject({ tokens })
    .nullable()
    .describe(
      'What the provider reported, where the request does not explain it; `tokens`, cut to what it explains, is charged in its place. Null where it was believed.',
    ),
});

/** One request as usage knows it: what was asked, where it went, what it cost. */
export const generation = nameReply(
  'Generation',
  z.object({
    generation: z.looseObject({
      id: z.string(),
      object: z.literal('generation'),
      endpoint: z.string(),
      admitted_at: z.iso.datetime(),
      api_key_id: z.string(),
      model_requested: z.string(),
      model: z.string(),
      provider: z.string(),
      status: z.string(),
      cost: decimal,
      billed: decimal.describe('What the organization pays: nothing under its own provider key.'),
      guardrail,
      limits: z.looseObject({ reserved: decimal, scopes: z.array(z.string()) }).nullable(),
      attempts: z.array(attempt),
    }),
  }),
);
