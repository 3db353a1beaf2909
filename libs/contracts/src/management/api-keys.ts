import { z } from 'zod';
import { bounded } from '../bodies/find-exceeded-bound';
import { searchedPageParameters } from './pages';

const permissionLevel = z.enum(['none', 'read', 'write']);
const labelName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"');
const labels = z.record(labelName, z.string().max(256)).refine(...bounded({ entriesMax: 16 }));
/** USD; null or 0 means unlimited. */
export const monthlyLimit = z.number().min(0).max(1e9).nullable();

/** Classes in which requests wait for providers that limit them, from the one that gets least. */
export const REQUEST_PRIORITIES = ['low', 'normal', 'high'] as const;
export type RequestPriorityName = (typeof REQUEST_PRIORITIES)[number];
const priority = z.enum(REQUEST_PRIORITIES);
/** A weight beside those of others. */
export const turnShare = z.int().min(1).max(100);

/** Body of `POST /v1/manage/apikey`. */
export const createApiKeyBody = z.strictObject({
  name: z.string().min(1).max(200),
  /** Whose key it is; the caller's unless said. */
  member_id: z.uuid().nullish(),
  monthly_limit: monthlyLimit.optional(),
  permissions: z
    .strictObject({
      manage: permissionLevel.optional(),
      completions: permissionLevel.optional(),
      /** Reading what the organization keeps of requests; only its administrators may give it. */
      contents: z.enum(['none', 'read']).optional(),
    })
    .optional(),
  group_id: z.uuid().nullish(),
  access_list_id: z.uuid().nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  labels: labels.optional(),
  /** What its requests have without the header `x-weir-priority`, and the most that they may ask for; normal unless said. */
  priority: priority.optional(),
  /** Its weight among the keys of its organization; 1 unless said. */
  share: turnShare.optional(),
});

export const setLabelsBody = z.strictObject({ labels });
export const setLimitBody = z.strictObject({ monthly_limit: monthlyLimit });
export const setAccessListBody = z.strictObject({ access_list_id: z.uuid().nullable() });
export const setGroupBody = z.strictObject({ group_id: z.uuid().nullable() });
export const setExpiryBody = z.strictObject({ expires_at: z.iso.datetime({ offset: true }).nullable() });
export const setPriorityBody = z
  .strictObject({ priority: priority.optional(), share: turnShare.optional() })
  .refine((body) => body.priority !== undefined || body.share !== undefined, { message: 'priority or share is required' });
/** How long the old secret goes on working beside the new one; not at all unless said. */
export const rotateApiKeyBody = z.strictObject({ overlap_seconds: z.int().min(0).max(86_400).default(0) });

/** Query of `GET /v1/manage/apikey`. A revoked key spent money as well: sums over keys are whole with `all`. */
export const apiKeyListParameters = searchedPageParameters.extend({ state: z.enum(['active', 'revoked', 'all']).default('active') });
