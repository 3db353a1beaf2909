import { PLANNED_ENDPOINTS, planBody } from '@weir/contracts';
import { z } from 'zod';
import { nameReply, nameRequest } from '../named-schemas';
import { decimal } from './organization';
import { plannedLimit } from './planned-limit';

const count = z.int().min(0);

export const planRequest = nameRequest('PlanRequest', planBody);

const attempt = z.object({
  model: z.string(),
  provider: z.string(),
  region: z.string().nullable(),
  account: z
    .enum(['gateway', 'organization'])
    .describe('Whose account with the provider: the gateway’s, or one of the organization’s own.'),
  provider_credential: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  why: z.string().nullable().describe('Why it stands where it stands in its policy.'),
  price_version: z.string(),
  input_tokens_max: count.nullable(),
  output_tokens_max: count.nullable(),
  cost_max: decimal,
  health: z
    .enum(['ready', 'ejected', 'resting'])
    .describe('As this process knows it. What is ejected (it failed) or resting (its provider asked to wait) is tried after the rest.'),
});

const order = z.object({
  policy: z.string(),
  strategy: z.enum(['fallback', 'weighted', 'latency', 'price']),
  reason: z.string().describe('Why the first one is first.'),
  members: z.array(z.object({ model: z.string(), weight: z.number(), first_byte_ms: count.nullable() })),
});

export const planReply = nameReply(
  'Plan',
  z.object({
    object: z.literal('plan'),
    planned_at: z.iso.datetime(),
    endpoint: z.enum(PLANNED_ENDPOINTS),
    api_key: z.object({ id: z.string(), name: z.string(), group_id: z.string().nullable(), user_id: z.string().nullable() }),
    model: z.string().nullable().describe('What was asked for, by its full id where it is known.'),
    fallback_model: z.string().nullable().describe('Where a full limit sends the request instead.'),
    allowed: z.boolean(),
    refusal: z.object({ code: z.string(), status: z.int(), message: z.string() }).nullable(),
    steady: z.boolean().nullable().describe('Whether every request for this name goes the same way.'),
    attempts: z.array(attempt).describe('In the order in which they would be made, each after the one before has failed.'),
    left_out: z
      .array(z.object({ model: z.string(), policy: z.string(), code: z.string(), message: z.string() }))
      .describe('Members of policies that this request cannot use.'),
    orders: z.array(order).describe('Policies as they were ordered, those inside others first.'),
    cost_max: decimal.nullable(),
    max_tokens_clamped: count.nullable().describe('The limit of output that the reply would be given to fit what is left.'),
    limits: z.array(
      z.object({
        ...plannedLimit,
        limit: z.string().describe('In the unit of the measure, as exact decimal text.'),
        remaining: z.string().nullable().describe('The same; null of a limit that only counts.'),
        binds: z.boolean().describe('The one with the least left, of those of its measure.'),
      }),
    ),
    requests_per_minute: count.nullable().describe('The rate of the member whose key it is.'),
    data_rules: z
      .object({
        data_residency: z.enum(['eu', 'us', 'ap']).nullable(),
        zero_data_retention: z.boolean(),
        data_used_for_training: z.boolean(),
      })
      .nullable(),
    guardrails: z.array(
      z.object({ id: z.string(), name: z.string(), action: z.enum(['flag', 'mask', 'block']), stage: z.enum(['input', 'output', 'both']) }),
    ),
    labels: z.record(z.string(), z.string()).describe('Free fields that usage would have.'),
    end_user: z.string().nullable(),
    trace_id: z.string().nullable(),
  }),
);
