import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { randomUUID } from 'node:crypto';
import { runChangeAsOwner } from '../changes/run-change';
import type { ManagementParts } from '../route/management-parts';
import { insertOrganization, type CreatedOrganization } from '../organizations/create-organization';
import { createApiKeySecret } from '../records/api-key-secret';
import { admitAtIdentityProvider } from './admit-at-identity-provider';
import type { SignedInPerson } from '../ports/identity-provider';

type User = Prisma.UserAccountGetPayload<object>;
type MembershipOf = Prisma.OrgMemberGetPayload<{ include: { organization: true } }>;

export type SignIn = {
  readonly user: User;
  readonly memberships: readonly MembershipOf[];
  /** The organization that was made because there was none left, with its first key; shown once. */
  readonly created: CreatedOrganization | null;
};

/**
 * Signs in a person whose token the identity provider has accepted. A person without a membership gets an organization of
 * their own; signing in from two places at once makes only one. Throws `permission_denied` for an unverified address that
 * belongs to another account.
 */
export async function signIn(parts: ManagementParts, person: SignedInPerson): Promise<SignIn> {
  const user = await parts.database.prisma.$transaction((tx) => ensureUser(tx, person));
  const memberships = await listMemberships(parts.database.prisma, user.id);
  if (memberships.length > 0) return { user, memberships, created: null };
  const created = await createOwnOrganization(parts, user);
  // Made by a sign-in of the same moment, which has shown the key.
  if (created === undefined) return { user, memberships: await listMemberships(parts.database.prisma, user.id), created: null };
  await admitAtIdentityProvider(parts, { organizationId: created.organizationId, userId: user.id });
  return { user, memberships: await listMemberships(parts.database.prisma, user.id), created };
}

async function ensureUser(tx: Prisma.TransactionClient, person: SignedInPerson): Promise<User> {
  const { subject, email, isEmailVerified, firstName, lastName } = person;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-in:${email}`}, 0))`;
  const known = await tx.userAccount.findUnique({ where: { idpSubject: subject } });
  if (known !== null) return known;
  const byAddress = await tx.userAccount.findUnique({ where: { email } });
  if (byAddress === null) return tx.userAccount.create({ data: { email, firstName, lastName, idpSubject: subject } });
  if (byAddress.idpSubject !== null || !isEmailVerified) {
    throw new GatewayError(
      'permission_denied',
      'There is an account for this e-mail address already. Verify the address, then sign in again.',
    );
  }
  return tx.userAccount.update({ where: { id: byAddress.id }, data: { idpSubject: subject } });
}

export async function listMemberships(tx: Prisma.TransactionClient, userId: string): Promise<MembershipOf[]> {
  return tx.orgMember.findMany({
    where: { userId, status: 'active', organization: { status: { not: 'closed' } } },
    include: { organization: true },
    orderBy: { createdAt: 'asc' },
  });
}

/** Rolls the change back when another sign-in was faster. */
class AlreadyMember extends Error {}

async function createOwnOrganization(parts: ManagementParts, user: User): Promise<CreatedOrganization | undefined> {
  const organizationId = randomUUID();
  const secret = createApiKeySecret(parts);
  const caller = { actor: { kind: 'user' as const, id: user.id }, organizationId, action: 'sign-in', requestId: randomUUID(), ip: null };
  try {
    const apiKeyId = await runChangeAsOwner(parts, caller, async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM user_account WHERE id = ${user.id}::uuid FOR UPDATE`;
      if ((await listMemberships(tx, user.id)).length > 0) throw new AlreadyMember();
      return insertOrganization(tx, { name: `Organization of ${user.email}`, ownerId: user.id }, { organizationId, secret });
    });
    return { organizationId, apiKeyId, apiKey: secret.secret };
  } catch (error) {
    if (error instanceof AlreadyMember) return undefined;
    throw error;
  }
}
