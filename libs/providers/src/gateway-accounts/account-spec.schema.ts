import { attemptDeadline } from '@weir/contracts';
import { secretReference } from '@weir/secret-source';
import { z } from 'zod';

const literal = z.string().min(1).max(16_384);
/** A secret itself, or where it is kept. */
const secretField = z.union([literal, secretReference], {
  error: 'must be a text, or one of {"env": name}, {"file": path}, {"vault": {"path": "<mount>/data/<path>", "field": name}}',
});
const atMost = z.int().min(1).max(1_000_000_000).optional();

const accountSpec = z
  .strictObject({
    /** Unique at its provider. */
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be letters, digits, ".", "_" and "-"'),
    provider: z.string().min(1).max(64),
    /** Its share of the requests; 0: only when the others fail. */
    weight: z.number().min(0).max(1_000_000).default(1),
    /** The area that its content stays in. */
    region: z.enum(['eu', 'us', 'ap']).optional(),
    base_url: z.url({ protocol: /^https?$/, error: 'must be an address with http or https' }).optional(),
    /** Models that it serves, as patterns of access lists; absent: all. */
    models: z.array(z.string().min(1).max(300)).min(1).max(200).optional(),
    /** What one process sends at most. */
    requests_per_minute: atMost,
    tokens_per_minute: atMost,
    concurrent: atMost,
    /** What it is waited for, as in policies, which come first. */
    first_content_ms: attemptDeadline.optional(),
    idle_ms: attemptDeadline.optional(),
    api_key: secretField.optional(),
    fields: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), secretField).optional(),
  })
  .refine(({ api_key: key, fields }) => key === undefined || fields === undefined, {
    error: 'give either `api_key` or `fields`',
    path: ['fields'],
  });

export const accountFile = z.strictObject({ accounts: z.array(accountSpec).max(1_000) });

/** What an operator says of one account at a provider. */
export type AccountSpec = z.infer<typeof accountSpec>;
export type SecretField = z.infer<typeof secretField>;

/** The fields of its credential by name. */
export function fieldsOf({ api_key: key, fields = {} }: AccountSpec): Readonly<Record<string, SecretField>> {
  return key === undefined ? fields : { api_key: key };
}
