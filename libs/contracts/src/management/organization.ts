import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';
import { modelPatterns } from './access-lists';
import { searchText } from './pages';

/** They are read with the organization, whenever that is, and written as a whole. */
const PATTERNS_LENGTH_MAX = 1_000_000;

/** Model patterns per modality; one that is left out approves nothing. */
export const approvedModels = z
  .strictObject({
    chat: modelPatterns.default([]),
    embedding: modelPatterns.default([]),
    image: modelPatterns.default([]),
    transcription: modelPatterns.default([]),
    speech: modelPatterns.default([]),
  })
  .refine(...bounded({ jsonLengthMax: PATTERNS_LENGTH_MAX }));

/** Names that this runtime knows and nothing else: an offset (`+02:00`) has no daylight saving. */
const timeZone = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/, 'must be the IANA name of a time zone, such as "Europe/Berlin"')
  .max(64)
  .refine(isTimeZone, { message: 'must be the IANA name of a time zone, such as "Europe/Berlin"' });

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

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
  /** For how many days contents of requests are kept, sealed; null: nothing of them is. */
  keep_contents_days: z.int().min(1).max(30).nullable(),
  /** IANA name: whose days, weeks and months limits follow; null is UTC. */
  time_zone: timeZone.nullable(),
});

/** Body of `PATCH /v1/manage/org`: only included fields change. */
export const updateOrganizationBody = organizationSettings.partial();
export type OrganizationSettingsBody = z.infer<typeof updateOrganizationBody>;

/** Body of `POST /v1/manage/org/preview`: settings that decide which models can be used and which limits hold; those left out stay as they are. */
export const previewOrganizationBody = organizationSettings
  .pick({ budget_mode: true, data_residency: true, zero_data_retention: true, data_used_for_training: true, approved_models: true })
  .partial();

const sequence = z.string().regex(/^\d{1,18}$/);
const word = z.string().min(1).max(200);
const instant = z.iso.datetime({ offset: true });

/** Which entries of the audit log are wanted; all that are given have to hold. */
const auditFilter = {
  /** The id of the key or person that made the change. */
  actor: word.optional(),
  actor_kind: z.enum(['api-key', 'user', 'operator']).optional(),
  action: word.optional(),
  target: word.optional(),
  target_kind: word.optional(),
  /** From this instant on. */
  start: instant.optional(),
  /** Before this instant. */
  end: instant.optional(),
  /** Part of what was there before or after, of an id, of the address or the action. */
  search: searchText.optional(),
};

/** Query of `GET /v1/manage/audit`: newest first, going back from `cursor`. */
export const auditParameters = z.strictObject({
  cursor: sequence.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  ...auditFilter,
});
export type AuditParameters = z.output<typeof auditParameters>;

/** Query of `GET /v1/manage/audit/export`. */
export const auditExportParameters = z.strictObject({ format: z.enum(['csv', 'json']).default('csv'), ...auditFilter });

/** Query of `GET /v1/manage/audit/verification`: oldest first, going on from `cursor`. */
export const auditVerificationParameters = z.strictObject({
  cursor: sequence.optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(2000),
});
