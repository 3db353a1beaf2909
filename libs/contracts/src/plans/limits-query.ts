import { z } from 'zod';

/** Query of `GET /v1/limits`. */
export const limitsQuery = z.strictObject({
  /** An end user, as requests name one. Without it, limits for each end user apart are left out. */
  user: z.string().min(1).max(256).optional(),
  /** A model, alias or policy. Without it, limits of all models are listed. */
  model: z.string().min(1).max(256).optional(),
  /** Another key whose limits are shown: one of the same member, or, for administrators, any of the organization. */
  api_key_id: z.uuid().optional(),
});

export type LimitsQuery = z.infer<typeof limitsQuery>;
