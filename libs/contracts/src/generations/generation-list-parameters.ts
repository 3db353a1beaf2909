import { z } from 'zod';
import { USAGE_STATUSES } from '../events/usage-event';
import { MODALITIES } from '../models/modality';

/** How much may be asked for at once: alternatives of one filter, and characters of one of them. */
const VALUES_MAX = 50;
const CHARS_MAX = 512;

/** Postgres text knows no NUL. */
const text = z
  .string()
  .min(1)
  .max(CHARS_MAX)
  .regex(/^[^\0]*$/);
const id = z.union([z.uuid(), z.literal('Unknown')]);
const instant = z.iso.datetime({ offset: true });
const usd = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/);
const milliseconds = z.coerce.number().int().min(0).max(1e12);
const cursor = z.string().min(1).max(1000);

function several<Value extends z.ZodType>(value: Value) {
  return z.union([value, z.array(value).min(1).max(VALUES_MAX)]).optional();
}

/** Values of a label or of a free field. */
export const generationNamedValues = z.array(text).min(1).max(VALUES_MAX);
/** How many labels and free fields may be asked for at once, and how long their names may be. */
export const GENERATION_NAMES_MAX = 20;
export const GENERATION_NAME_CHARS_MAX = 200;

/**
 * Query of `GET /v1/generation`, but for `label.<name>` and `extra.<name>`, whose names are the caller's. A filter that may be repeated keeps what has one of its values; several filters all apply.
 */
export const generationListParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).optional(),
  cursor: cursor.optional(),
  after: cursor.optional(),
  start: instant.optional(),
  end: instant.optional(),
  order: z.literal('desc').optional(),
  /** `error` is every status but `ok`. */
  status: several(z.enum([...USAGE_STATUSES, 'error'])),
  model: several(text),
  model_requested: several(text),
  provider: several(text),
  api_key_id: several(z.uuid()),
  group_id: several(id),
  user_id: several(id),
  end_user: several(text),
  endpoint: several(text),
  modality: several(z.enum(MODALITIES)),
  min_cost: usd.optional(),
  max_cost: usd.optional(),
  min_ms: milliseconds.optional(),
  max_ms: milliseconds.optional(),
  id: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,200}$/)
    .optional(),
});
export type GenerationListParameters = z.output<typeof generationListParameters>;
