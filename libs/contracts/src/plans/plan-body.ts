import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';

/** Endpoints whose requests go to a model, as they are called in the table of endpoints. */
export const PLANNED_ENDPOINTS = [
  'chat-completions',
  'completions',
  'responses',
  'messages',
  'embeddings',
  'image-generations',
  'image-edits',
  'speech',
  'transcriptions',
  'translations',
] as const;

/** Keys have no business in a plan: whose request it is says `api_key_id`. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'proxy-authorization', 'cookie']);

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,128}$/, 'must be the name of a header')
  .refine((name) => !CREDENTIALS.has(name), { message: 'is a credential; name the key by `api_key_id`' });

/** Body of `POST /v1/plan`: a request as it would be sent, and whose it would be. */
export const planBody = z.strictObject({
  /** Absent: recognized by the body, as for an estimate. */
  endpoint: z.enum(PLANNED_ENDPOINTS).optional(),
  /** Absent: the calling key. Administrators may name any key of the organization. */
  api_key_id: z.uuid().toLowerCase().optional(),
  headers: z
    .record(headerName, z.string().max(4096))
    .refine(...bounded({ entriesMax: 100 }))
    .default({}),
  body: z.record(z.string(), z.unknown()),
});
export type PlanBody = z.output<typeof planBody>;
