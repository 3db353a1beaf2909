import { USAGE_STATUSES } from '@weir/contracts';
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
const instant = z.iso.datetime();
const labels = z.record(z.string(), z.string());

const priceLine = z.looseObject({
  unit: z.string().describe('`input`, `output`, `cached_input`, `second`, `image`, …'),
  quantity: z.string().describe('Decimal text.'),
  price: decimal.describe('Of one unit, in USD as exact decimal text.'),
  amount: decimal.describe('`quantity` × `price`, exactly.'),
});

const correction = z.looseObject({
  rerate_id: z.string().describe('As in the line of the ledger that it is part of.'),
  at: instant,
  because: z.string(),
  price_version: z.string().describe('The price that holds from here on.'),
  cost_difference: decimal.describe('Below zero where it costs less.'),
  billed_difference: decimal,
});

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
  started_at: instant.nullable().describe('Null where a crash ended the attempt: nothing says when it began.'),
  ended_at: instant,
  milliseconds: count,
  first_byte_milliseconds: count.nullable(),
  tokens,
  tokens_source: z.enum(['provider', 'tokenizer', 'estimate']),
  price_version: z.string(),
  price_lines: z
    .array(priceLine)
    .nullable()
    .describe('What `cost` is the sum of, rounded once, half-even, to 12 decimal places; empty where nothing was charged.'),
  price_lines_missing: z
    .enum(['prices_unknown', 'not_itemized'])
    .nullable()
    .describe(
      '`prices_unknown`: the catalogue has this `price_version` no more. `not_itemized`: it was charged by something that is not kept. Null where there are lines.',
    ),
  cost: decimal,
  billed: decimal,
  corrected: z
    .looseObject({ from: z.looseObject({ price_version: z.string(), cost: decimal, billed: decimal }), by: z.array(correction) })
    .nullable()
    .describe(
      'What was charged `from` the beginning, where a price was wrong, and `by` what it was corrected since: `cost`, `billed` and `price_version` have it in them. Null where nothing was corrected.',
    ),
  guardrail,
  uncharged: z.looseObject({ tokens, cost: decimal }).nullable(),
  doubted: z
    .looseObject({ tokens })
    .nullable()
    .describe(
      'What the provider reported, where the request does not explain it; `tokens`, cut to what it explains, is charged in its place. Null where it was believed.',
    ),
});

const elapsed = count.nullable().describe('From admission to the end of the last attempt; null where a crash ended it.');
const firstByte = count.nullable().describe('From admission to the first byte of the reply; null where none came.');
const stream = z.boolean().nullable().describe('Whether a stream was asked for; null on requests of before it was kept.');
const modality = z.enum(['chat', 'embedding', 'image', 'speech', 'transcription']);
const billed = decimal.describe('What the organization pays: nothing under its own provider key.');

/** Requests as lines of a list. */
export const generationList = nameReply(
  'GenerationList',
  z.looseObject({
    generations: z.array(
      nameReply(
        'GenerationSummary',
        z.looseObject({
          id: z.string(),
          object: z.literal('generation'),
          admitted_at: instant,
          endpoint: z.string(),
          modality,
          status: z.enum(USAGE_STATUSES),
          model_requested: z.string(),
          model: z.string().describe('Which served it, or was tried last.'),
          provider: z.string(),
          api_key_id: z.string(),
          api_key_name: text,
          group_id: text,
          user_id: text.describe('The member whose key it was.'),
          end_user: text.describe('Whom the caller named.'),
          stream,
          attempts: z.int().min(1),
          milliseconds: elapsed,
          first_byte_milliseconds: firstByte,
          tokens: z.looseObject({ input: count, output: count, cached_input: count, reasoning: count }).describe('Of the last attempt.'),
          cost: decimal.describe('Of all attempts, in USD as exact decimal text.'),
          billed,
          guardrail,
        }),
      ),
    ),
    next_cursor: text.describe('The `cursor` of the next page; null where nothing is left.'),
    newest_cursor: z.string().optional().describe('What `after` takes, to be given what came to be counted since; not on later pages.'),
    is_partial: z
      .boolean()
      .describe('As many events were looked at as one page may cost: there may be fewer requests than `limit`, and more at `next_cursor`.'),
  }),
);

/** One request as usage knows it: what was asked, where it went, what it cost. */
export const generation = nameReply(
  'Generation',
  z.object({
    generation: z.looseObject({
      id: z.string(),
      object: z.literal('generation'),
      endpoint: z.string(),
      modality,
      stream,
      admitted_at: instant,
      ended_at: instant,
      milliseconds: elapsed,
      first_byte_milliseconds: firstByte,
      api_key_id: z.string(),
      api_key_name: text,
      user_id: text.describe('The member whose key it was.'),
      user_email: text,
      group_id: text,
      group_name: text,
      labels: z.looseObject({ key: labels, group: labels }).describe('Of the key and of its group, as they were at admission.'),
      end_user: text.describe('Whom the caller named.'),
      origin_title: text,
      extra: z.record(z.string(), z.string()).describe('Free fields that the caller sent (`X-Weir-<Name>`).'),
      trace_id: text,
      model_requested: z.string(),
      model: z.string(),
      provider: z.string(),
      status: z.string(),
      cost: decimal,
      billed,
      corrected_from: z
        .looseObject({ cost: decimal, billed: decimal })
        .nullable()
        .describe('What was charged at first, where the price of an attempt was corrected since; else null.'),
      guardrail,
      limits: z.looseObject({ hold_id: z.string(), reserved: decimal, scopes: z.array(z.string()) }).nullable(),
      attempts: z.array(attempt),
    }),
  }),
);
