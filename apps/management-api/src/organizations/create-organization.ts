import { randomUUID } from 'node:crypto';
import type { AuditActor } from '../route/audit-actor';
import { runChangeAsOwner, type Change, type ChangeCaller, type OwnerChangeParts } from '../changes/run-change';
import type { Prisma } from '@weir/database';
import { createApiKeySecret, type ApiKeySecret, type KeyParts } from '../records/api-key-secret';
import { insertApiKey } from '../records/insert-api-key';
import { describeOrganization } from '../records/organization';

type NewOrganization = {
  readonly name: string;
  /** Its first member and administrator; an organization may begin without one. */
  readonly ownerId: string | null;
};

export type CreatedOrganization = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** The first key, which may do everything. Shown once. */
  readonly apiKey: string;
};

type Creating = { readonly organizationId: string; readonly secret: ApiKeySecret };

/** Makes an organization with its first key, in one transaction with its audit line. */
export async function createOrganization(
  parts: OwnerChangeParts & KeyParts,
  caller: Pick<ChangeCaller, 'requestId' | 'ip'> & { readonly actor: AuditActor },
  wanted: NewOrganization,
): Promise<CreatedOrganization> {
  const creating: Creating = { organizationId: randomUUID(), secret: createApiKeySecret(parts) };
  const change: ChangeCaller = { ...caller, organizationId: creating.organizationId, action: 'create-organization' };
  const apiKeyId = await runChangeAsOwner(parts, change, (tx) => insertOrganization(tx, wanted, creating));
  return { organizationId: creating.organizationId, apiKeyId, apiKey: creating.secret.secret };
}

/** The same inside a transaction that has more to do; the change's result is the first key's id. */
export async function insertOrganization(
  tx: Prisma.TransactionClient,
  { name, ownerId }: NewOrganization,
  { organizationId, secret }: Creating,
): Promise<Change<string>> {
  const members = ownerId === null ? {} : { members: { create: { userId: ownerId, role: 'owner' } } };
  const organization = await tx.organization.create({ data: { id: organizationId, name, ...members } });
  const key = await insertApiKey(
    tx,
    {
      organizationId,
      name: 'Administrator',
      permManage: 'write',
      permCompletions: 'write',
      userId: ownerId,
      groupId: null,
      accessListId: null,
      labels: {},
    },
    secret,
  );
  return {
    result: key.result,
    audit: {
      targetKind: 'organization',
      targetId: organizationId,
      before: null,
      after: { ...describeOrganization(organization), owner_id: ownerId, api_key_id: key.result },
    },
    changed: key.changed,
  };
}
