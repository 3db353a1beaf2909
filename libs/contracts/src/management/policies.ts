import { z } from 'zod';

/** How long one attempt may take for something, in milliseconds. */
export const attemptDeadline = z.int().min(100).max(3_600_000);

/** A model's id, or `policy/<name>` for another policy. */
const modelId = z.string().min(1).max(256);

const step = z.strictObject({
  model: modelId,
  /** Its share, for `weighted`. */
  weight: z.number().positive().max(1_000_000).default(1),
  /** How often it is tried again before the next one is. */
  retries: z.int().min(0).max(5).default(0),
});
const models = z
  .array(z.union([modelId.transform((model) => ({ model, weight: 1, retries: 0 })), step]))
  .min(1)
  .max(32);

const rest = {
  strategy: z.enum(['fallback', 'weighted', 'latency', 'price']),
  models,
  /** Requests with the same value go the same way. */
  sticky_by: z.enum(['trace_id', 'user_id']).optional(),
  /** So long after it was sent, a streamed request has the first content of its reply, or its next model is asked. */
  first_content_ms: attemptDeadline.optional(),
  /** The longest silence within a reply. */
  idle_ms: attemptDeadline.optional(),
};

export const policyName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"');

/** Body of `POST /v1/manage/policy`; requests name it as the model `policy/<name>`. */
export const createPolicyBody = z.strictObject({ name: policyName, ...rest });
/** Body of `PUT /v1/manage/policy/{name}`. A name, when given, must be that of the path. */
export const replacePolicyBody = z.strictObject({ name: policyName.optional(), ...rest });
/** What is kept of a policy beside its name. */
export const policyDocument = z.strictObject(rest);
export type PolicyDocument = z.output<typeof policyDocument>;
