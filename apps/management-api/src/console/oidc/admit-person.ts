import { ensureUserAccount, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { AuditActor } from '../../route/audit-actor';
import { runChange, runChangeAsOwner, type Change, type ChangeCaller } from '../../changes/run-change';
import { admitAtIdentityProvider } from '../../identity/admit-at-identity-provider';
import { keepAnAdministrator } from '../../records/administrators';
import { describeMembership, getMembership, type MembershipRow } from '../../records/members';
import type { ManagementParts } from '../../route/management-parts';
import { findPerson, type FoundAccount } from './find-person';
import { followGroups } from './follow-groups';
import type { OidcSettings } from './read-oidc-settings';
import { decideRole } from './decide-role';
import type { OidcPerson } from './read-person';
import { SignInRefusal } from './sign-in-refusal';

export type SignInCaller = { readonly organizationId: string; readonly requestId: string; readonly ip: string | null };

/** Where they sign in, as the audit log has it. */
export type SignInPlace = 'console sign-in' | 'session sign-in';

type Key = { readonly organizationId: string; readonly userId: string };

/**
 * The member that a person of the provider is, with the role that their groups there make of them. Somebody new becomes one
 * when a group of theirs is mapped to a role. Throws SignInRefusal for everybody else.
 */
export async function admitPerson(
  parts: ManagementParts,
  { roles }: Pick<OidcSettings, 'roles'>,
  { person, caller: from, place }: { readonly person: OidcPerson; readonly caller: SignInCaller; readonly place: SignInPlace },
): Promise<string> {
  // The provider has decided, not a person here.
  const caller = { ...from, actor: { kind: 'operator', id: place } } as const;
  const decided = roles === undefined ? undefined : decideRole(roles, person.groups);
  const { organizationId } = caller;
  const settled = await runChangeAsOwner(parts, { ...caller, action: 'sign-in' }, (tx) =>
    settlePerson(tx, { organizationId, person, role: decided?.role }),
  ).catch(giveWhenSettled);
  const key = { organizationId, userId: settled.userId };
  if (settled.isNew) await reportToIdentityProvider(parts, key);
  // Without a mapping, the provider decides about no role.
  else if (roles !== undefined) await followRole(parts, { ...caller, role: decided?.role ?? 'member', userId: settled.userId });
  if (roles !== undefined) await followGroups(parts, { ...caller, userId: settled.userId, groups: decided?.groups ?? [] });
  return settled.userId;
}

type Settled = { readonly userId: string; readonly isNew: boolean };

/** Ends the transaction of a person for whom nothing is to be changed. */
class Unchanged extends Error {
  constructor(readonly settled: Settled) {
    super('nothing is to be changed');
  }
}

function giveWhenSettled(error: unknown): Settled {
  if (error instanceof Unchanged) return error.settled;
  throw error;
}

type Settling = { readonly organizationId: string; readonly person: OidcPerson; readonly role: 'admin' | 'member' | undefined };

/** Links a person to their account and makes somebody new a member, at once, so that no account is left over without a membership. */
async function settlePerson(tx: Prisma.TransactionClient, { organizationId, person, role }: Settling): Promise<Change<Settled>> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-in:${person.email ?? person.subject}`}, 0))`;
  const found = await findPerson(tx, person);
  const membership = await findMembership(tx, organizationId, found?.userId);
  if (membership === null && role === undefined)
    throw new SignInRefusal('group', 'the person is no member, and no group of theirs at the identity provider is mapped to a role');
  if (membership !== null && found?.isLinked === true) throw new Unchanged({ userId: found.userId, isNew: false });
  const userId = await linkPerson(tx, person, found);
  const member =
    membership ??
    (await tx.orgMember.create({ data: { organizationId, userId, role: role ?? 'member', source: 'oidc' }, include: { user: true } }));
  const described = describeMembership(member);
  return {
    result: { userId, isNew: membership === null },
    audit: {
      ...{ targetKind: 'member', targetId: userId, before: membership === null ? null : described },
      after: { ...described, signs_in_at: person.issuer },
    },
    changed: [],
  };
}

async function findMembership(
  tx: Prisma.TransactionClient,
  organizationId: string,
  userId: string | undefined,
): Promise<MembershipRow | null> {
  if (userId === undefined) return null;
  const where = { organizationId_userId: { organizationId, userId } };
  const membership = await tx.orgMember.findUnique({ where, include: { user: true } });
  if (membership !== null && membership.status !== 'active')
    throw new SignInRefusal('offboarded', 'the person was a member and was taken out of the organization');
  return membership;
}

/** From here on they are known by their subject. Returns whose account it is. */
async function linkPerson(tx: Prisma.TransactionClient, person: OidcPerson, found: FoundAccount | undefined): Promise<string> {
  const { issuer, subject, email, firstName, lastName } = person;
  const userId = found?.userId ?? (await ensureUserAccount(tx, { email: email ?? '', firstName, lastName }));
  if (found?.isLinked !== true) await tx.userIdentity.create({ data: { issuer, subject, userId } });
  return userId;
}

/** Where a Keycloak is kept up to date as well, it may be another one. A failure there keeps no one from signing in here. */
async function reportToIdentityProvider(parts: ManagementParts, key: Key): Promise<void> {
  try {
    await admitAtIdentityProvider(parts, key);
  } catch (error) {
    parts.log.warn({ error, ...key }, 'a new member is not known at the Keycloak of the settings: add them again to finish it');
  }
}

type RoleChange = Omit<ChangeCaller, 'action' | 'principal'> & {
  readonly actor: AuditActor;
  readonly userId: string;
  readonly role: 'admin' | 'member';
};

/** An owner is an administrator and stays owner. The last administrator stays one, whatever the provider says. */
async function followRole(parts: ManagementParts, { userId, role, ...caller }: RoleChange): Promise<void> {
  const { organizationId } = caller;
  const where = { organizationId_userId: { organizationId, userId } };
  const own = parts.database.asOrganization(organizationId);
  const member = await own.transact((tx) => tx.orgMember.findUnique({ where, select: { role: true } }));
  if (member === null || (member.role !== 'member') === (role === 'admin')) return;
  const change: ChangeCaller = { ...caller, action: 'set-member-role' };
  try {
    await runChange(parts, change, (tx) =>
      keepAnAdministrator(tx, { organizationId, nowMs: parts.now() }, async () => {
        const before = describeMembership(await getMembership(tx, { organizationId, userId }));
        await tx.orgMember.update({ where, data: { role } });
        return {
          result: undefined,
          audit: { targetKind: 'member', targetId: userId, before, after: { ...before, role } },
          changed: [{ entity: 'organization', entityId: organizationId }],
        };
      }),
    );
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'last_administrator') throw error;
    parts.log.warn({ organizationId, userId }, 'the last administrator keeps their role although their groups no longer make them one');
  }
}
