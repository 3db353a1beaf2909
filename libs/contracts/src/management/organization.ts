import { z } from 'zod';

const patterns = z.array(z.string().min(1).max(256)).max(5000);

/** Model patterns per modality; one that is left out approves nothing. */
export const approvedModels = z.strictObject({
  chat: patterns.default([]),
  embedding: patterns.default([]),
  image: patterns.default([]),
  transcription: patterns.default([]),
  speech: patterns.default([]),
});

/** What an organization decides for all of its keys. */
export const organizationSettings = z.strictObject({
  budget_mode: z.enum(['global', 'group']),
  /** Null: requests may be served anywhere. */
  data_residency: z.enum(['eu', 'us', 'ap']).nullable(),
  zero_data_retention: z.boolean(),
  /** Null: every model is approved. */
  approved_models: approvedModels.nullable(),
  tier: z.enum(['free', 'paying']),
  /** What happens to requests while the counters of limits cannot be reached. */
  limits_unavailable: z.enum(['lease', 'deny', 'allow']),
  /** False: only models whose record says that prompts are not used for training. */
  data_used_for_training: z.boolean(),
  /** Shortens an answer so that it fits what is left of a limit, instead of refusing the request. */
  clamp_to_limit: z.boolean(),
  charge_failed_attempts: z.boolean(),
  /** While keys cannot be checked, those that are known go on for 60 seconds instead of 15 minutes. */
  strict_access: z.boolean(),
});

/** Body of `PATCH /v1/manage/org`: only included fields change. */
export const updateOrganizationBody = organizationSettings.partial();
export type OrganizationSettingsBody = z.infer<typeof updateOrganizationBody>;

/** Query of `GET /v1/manage/audit`: newest first, going back from `cursor`. */
export const auditParameters = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
