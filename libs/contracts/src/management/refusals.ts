import { z } from 'zod';

const id = z.uuid();
const instant = z.iso.datetime({ offset: true });

/** Query of `GET /v1/manage/refusal`: newest first, a page at a time. */
export const refusalListParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** What the page before returned as `next`. */
  cursor: id.optional(),
  api_key_id: id.optional(),
  /** A code of the error catalogue, such as `limit_reached`. */
  code: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .optional(),
  /** From this moment on, and before that one. */
  start: instant.optional(),
  end: instant.optional(),
});
