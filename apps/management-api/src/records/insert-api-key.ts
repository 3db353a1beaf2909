import type { createApiKeyBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import type { z } from 'zod';
import type { Change } from '../changes/run-change';
import { checkAccessListExists } from './access-lists';
import type { ApiKeySecret } from './api-key-secret';
import { auditApiKey, getApiKey } from './api-keys';
import { readExpiry } from './expiry';
import { checkGroupExists } from './groups';
import { ensureLabelSet, type Labels } from './label-sets';
import { limitToPico } from './usd';

export type NewApiKey = Pick<
  Prisma.ApiKeyUncheckedCreateInput,
  | 'organizationId'
  | 'name'
  | 'permManage'
  | 'permCompletions'
  | 'permContents'
  | 'monthlyLimitPico'
  | 'priority'
  | 'share'
  | 'expiresAt'
  | 'isSession'
> & {
  /** Who owns it, when a person does. */
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly accessListId: string | null;
  readonly labels: Labels;
};

/** The key that a body asks for. Without a word about permissions it may infer and nothing else. */
export function planApiKey(
  body: z.output<typeof createApiKeyBody>,
  owner: Pick<NewApiKey, 'organizationId' | 'userId'> & { readonly nowMs: number },
): NewApiKey {
  return {
    organizationId: owner.organizationId,
    userId: owner.userId,
    name: body.name,
    ...readPermissions(body.permissions ?? {}),
    monthlyLimitPico: limitToPico(body.monthly_limit ?? null, 'monthly_limit'),
    priority: body.priority ?? 'normal',
    share: body.share ?? 1,
    expiresAt: readExpiry(body.expires_at ?? null, owner.nowMs),
    groupId: body.group_id ?? null,
    accessListId: body.access_list_id ?? null,
    labels: body.labels ?? {},
  };
}

type Permissions = NonNullable<z.output<typeof createApiKeyBody>['permissions']>;

function readPermissions({ manage, completions, contents }: Partial<Permissions>) {
  return { permManage: manage ?? 'none', permCompletions: completions ?? 'write', permContents: contents ?? 'none' };
}

/** Adds a key to its organization; the change's result is its id. Throws `not_found` for a group or list of another one. */
export async function insertApiKey(tx: Prisma.TransactionClient, key: NewApiKey, { stored }: ApiKeySecret): Promise<Change<string>> {
  const { labels, organizationId, groupId, accessListId, userId, ...columns } = key;
  await checkGroupExists(tx, organizationId, groupId);
  await checkAccessListExists(tx, organizationId, accessListId);
  const labelSetId = await ensureLabelSet(tx, { organizationId, kind: 'key', labels });
  const { id } = await tx.apiKey.create({
    data: { ...columns, ...stored, organizationId, groupId, accessListId, labelSetId, userId, createdBy: userId },
  });
  const after = auditApiKey(await getApiKey(tx, organizationId, id));
  return {
    result: id,
    audit: { targetKind: 'api-key', targetId: id, before: null, after },
    changed: [{ entity: 'api-key', entityId: id }],
  };
}
