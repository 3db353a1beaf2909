import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';

/** What may be sent in a header: printable, no line ends. */
const secret = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII without line breaks');
/** Clouds want more than a key; a key file is JSON, so line ends are fine. */
const fields = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), z.string().min(1).max(16_384))
  .refine(...bounded({ entriesMax: 16 }))
  .refine((map) => Object.keys(map).length > 0, { message: 'between 1 and 16 fields' });

const oneSecret = { message: 'give either `api_key` or `fields`', path: ['api_key'] };
const hasOneSecret = (body: { api_key?: unknown; fields?: unknown }): boolean =>
  (body.api_key === undefined) !== (body.fields === undefined);

/**
 * Body of `POST /v1/manage/provider-credential`. `prefer`: the organization's own account first, the gateway's when it
 * fails. `only`: never the gateway's.
 */
export const createProviderCredentialBody = z
  .strictObject({
    provider: z.string().min(1).max(64),
    /** Names one of several accounts at one provider; the provider's id unless given. */
    name: z.string().min(1).max(200).optional(),
    api_key: secret.optional(),
    fields: fields.optional(),
    mode: z.enum(['prefer', 'only']).default('prefer'),
  })
  .refine(hasOneSecret, oneSecret);

/** Body of `POST /v1/manage/provider-credential/{id}/rotate`: the whole new secret; the old one is gone at once. */
export const rotateProviderCredentialBody = z
  .strictObject({ api_key: secret.optional(), fields: fields.optional() })
  .refine(hasOneSecret, oneSecret);
export type ProviderSecretBody = z.output<typeof rotateProviderCredentialBody>;
