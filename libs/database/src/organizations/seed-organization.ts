import type { Database } from '../connection/create-database';
import { recordChange } from '../changes/create-change-log';
import type { Prisma } from '../generated/prisma/client';

type OrganizationSeed = {
  readonly database: Database;
  readonly name: string;
  readonly email: string;
  /** HMAC-SHA256(pepper, key), 32 bytes. */
  readonly apiKeyHash: Buffer;
  /** The same under the pepper before, while there are two. */
  readonly former?: { readonly hash: Buffer; readonly pepperVersion: number };
  readonly pepperVersion?: number;
  /** How the key begins and ends, for people to recognize it. */
  readonly apiKeyPrefix: string;
  readonly apiKeyLast4: string;
  /** Whether a new organization is the operator's own; no unless given. */
  readonly isOperator?: boolean;
};

export type SeededOrganization = {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string;
  /** False when everything had been there already. */
  readonly isNew: boolean;
};

const SEED_LOCK = 5_714_002;

/**
 * Makes sure that an organization of this name with this owner and this administrator key exists. Repeating it changes
 * nothing, and brings nothing back that was revoked or rotated since; another key for the same organization is added
 * beside the first.
 */
export async function seedOrganization(seed: OrganizationSeed): Promise<SeededOrganization> {
  return seed.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SEED_LOCK}::bigint)`;
    const hash = new Uint8Array(seed.apiKeyHash);
    const formerHash = seed.former === undefined ? null : new Uint8Array(seed.former.hash);
    const present = await findSeeded(tx, hash, formerHash);
    const userId = await ensureUser(tx, seed.email.toLowerCase());
    if (present !== null) return { organizationId: present.organizationId, userId, apiKeyId: present.id, isNew: false };
    const organizationId = await ensureOrganization(tx, seed, userId);
    const key = await tx.apiKey.create({
      data: {
        organizationId,
        name: 'Administrator',
        hash,
        formerHash,
        formerPepperVersion: seed.former?.pepperVersion ?? null,
        seededHash: hash,
        pepperVersion: seed.pepperVersion ?? 1,
        prefix: seed.apiKeyPrefix,
        last4: seed.apiKeyLast4,
        permManage: 'write',
        permCompletions: 'write',
        userId,
        createdBy: userId,
      },
    });
    await recordChange(tx, { entity: 'api-key', entityId: key.id, organizationId });
    return { organizationId, userId, apiKeyId: key.id, isNew: true };
  });
}

type Hash = Uint8Array<ArrayBuffer>;

/** The key that was made for this secret, whatever became of it; from now on it is known by the secret's present digest. */
async function findSeeded(
  tx: Prisma.TransactionClient,
  hash: Hash,
  formerHash: Hash | null,
): Promise<{ id: string; organizationId: string } | null> {
  const hashes = formerHash === null ? [hash] : [hash, formerHash];
  const isOne = { in: hashes };
  const present = await tx.apiKey.findFirst({
    where: { OR: [{ seededHash: isOne }, { hash: isOne }, { formerHash: isOne }] },
    select: { id: true, organizationId: true, seededHash: true },
  });
  if (present === null) return null;
  if (present.seededHash === null || !Buffer.from(present.seededHash).equals(hash)) {
    await tx.apiKey.update({ where: { id: present.id }, data: { seededHash: hash } });
  }
  return present;
}

async function ensureUser(tx: Prisma.TransactionClient, email: string): Promise<string> {
  const user = await tx.userAccount.upsert({ where: { email }, create: { email }, update: {} });
  return user.id;
}

async function ensureOrganization(
  tx: Prisma.TransactionClient,
  { name, isOperator = false }: Pick<OrganizationSeed, 'name' | 'isOperator'>,
  ownerId: string,
): Promise<string> {
  const owned = await tx.organization.findFirst({
    where: { name, members: { some: { userId: ownerId, role: 'owner', status: 'active' } } },
    orderBy: { createdAt: 'asc' },
  });
  if (owned !== null) return owned.id;
  const created = await tx.organization.create({ data: { name, isOperator, members: { create: { userId: ownerId, role: 'owner' } } } });
  return created.id;
}
