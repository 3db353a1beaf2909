import { createApiKeyBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { runChange, type ChangeCaller, type OwnerChangeParts } from '../changes/run-change';
import { createApiKeySecret, type KeyParts } from '../records/api-key-secret';
import { changeApiKey } from '../records/api-keys';
import { insertApiKey, planApiKey } from '../records/insert-api-key';

type RecoverParts = OwnerChangeParts & KeyParts;

export type RecoveredKey = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
  /** The keys in whose place it is. */
  readonly revokedApiKeyIds: readonly string[];
};

/** The organization whose administrator key was made at the first start. */
export async function findFirstOrganization({ database }: Pick<RecoverParts, 'database'>): Promise<string> {
  const first = await database.prisma.apiKey.findFirst({
    where: { seededHash: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { organizationId: true },
  });
  if (first === null) throw new GatewayError('not_found', 'No start has made an administrator key here. Name an organization.');
  return first.organizationId;
}

/**
 * Makes a new administrator key of an organization in place of those whose value no one has: made at a first start or here,
 * and not rotated since. They are revoked, unless `keepsLost`. The new key is made first: a failure leaves one more key, not
 * one less, and it is revoked when this is done again.
 */
export async function recoverKey(parts: RecoverParts, caller: ChangeCaller, keepsLost: boolean): Promise<RecoveredKey> {
  const { organizationId } = caller;
  const lost = keepsLost ? [] : await findLost(parts, organizationId);
  const secret = createApiKeySecret(parts);
  const body = createApiKeyBody.parse({ name: 'Administrator', permissions: { manage: 'write', completions: 'write' } });
  const key = planApiKey(body, { organizationId, userId: null, nowMs: parts.now() });
  const apiKeyId = await runChange(parts, caller, async (tx) => {
    const made = await insertApiKey(tx, key, secret);
    await tx.apiKey.update({ where: { id: made.result }, data: { seededHash: secret.stored.hash } });
    return made;
  });
  const revoke = { status: 'revoked' as const, revokedAt: new Date(parts.now()) };
  for (const id of lost) await changeApiKey(parts, { ...caller, id }, () => Promise.resolve(revoke));
  return { organizationId, apiKeyId, apiKey: secret.secret, revokedApiKeyIds: lost };
}

async function findLost({ database }: RecoverParts, organizationId: string): Promise<string[]> {
  const seeded = await database.prisma.apiKey.findMany({
    where: { organizationId, status: 'active', seededHash: { not: null } },
    select: { id: true, hash: true, seededHash: true },
  });
  // A rotated one has another value, which somebody was given.
  return seeded.filter(({ hash, seededHash }) => seededHash !== null && Buffer.from(hash).equals(seededHash)).map(({ id }) => id);
}
