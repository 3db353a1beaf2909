import { changeOwnAccount, ensureUserAccount, Prisma } from '@weir/database';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../changes/run-change';
import { cancelOffboarding } from '../../identity/finish-offboarding';
import { removeEverywhere } from '../../identity/offboard-member';
import { describeMembership } from '../../records/members';
import type { ScimDocument } from '../protocol/attribute';
import { refuse, refuseTaken, refuseValue } from '../protocol/refusals';
import { readUser } from './describe-user';
import { readWish, type UserWish } from './read-wish';
import { getUserRow, type UserRow } from './user-rows';

type At = { readonly organizationId: string; readonly nowMs: number };
type Saved = Change<UserRow>;

/** Makes a person of the directory a member. Throws `uniqueness` for somebody the directory sees already. */
export async function createUser(tx: Prisma.TransactionClient, at: At, document: ScimDocument): Promise<Saved> {
  const { organizationId } = at;
  const wish = readWish(document);
  if (wish.email === undefined) throw refuseValue('emails', 'is required where the userName is no email address');
  await checkUserName(tx, { organizationId, userName: wish.userName });
  const userId = await ensureUserAccount(tx, { email: wish.email, firstName: wish.firstName ?? '', lastName: wish.lastName ?? '' });
  const key = { organizationId, userId };
  const known = await tx.orgMember.findUnique({ where: { organizationId_userId: key } });
  if (known !== null && (known.status === 'active' || known.deletedAt === null)) throw refuseTaken('emails.value', wish.email);
  const data = {
    ...{ role: wish.role, source: 'scim', deletedAt: null, ...toColumns(wish) },
    ...(wish.isActive ? { status: 'active', offboardedAt: null } : { status: 'offboarded', offboardedAt: new Date(at.nowMs) }),
  };
  await tx.orgMember.upsert({ where: { organizationId_userId: key }, create: { ...key, ...data }, update: data });
  await cancelOffboarding(tx, key);
  const row = await getUserRow(tx, { organizationId, id: userId });
  return { result: row, audit: { targetKind: 'member', targetId: userId, before: null, after: auditUser(row) }, changed: [] };
}

/** Makes a member what the directory wants them to be; their row is locked, and the last administrator is kept by who calls. */
export async function saveUser(
  tx: Prisma.TransactionClient,
  at: At,
  { row, document }: { row: UserRow; document: ScimDocument },
): Promise<Saved> {
  const { organizationId, userId } = row;
  const wish = readWish(document);
  if (wish.userName.toLowerCase() !== (row.userName ?? row.user.email))
    await checkUserName(tx, { organizationId, userName: wish.userName, userId });
  await changeAccount(tx, row, wish);
  const isLeaving = row.status === 'active' && !wish.isActive;
  const leaving = { membership: row, at: new Date(at.nowMs), keepsDirectoryGroups: true };
  const ended = isLeaving ? await removeEverywhere(tx, leaving) : undefined;
  await tx.orgMember.update({
    where: { organizationId_userId: { organizationId, userId } },
    data: { ...toColumns(isLeaving ? withoutRoles(wish) : wish), role: chooseRole(row, wish, isLeaving) },
  });
  if (row.status !== 'active' && wish.isActive) await comeBack(tx, { organizationId, userId });
  const after = await getUserRow(tx, { organizationId, id: userId });
  return {
    result: after,
    audit: {
      ...{ targetKind: 'member', targetId: userId, before: auditUser(row) },
      after: { ...auditUser(after), changed: listChanged(readUser(row), readUser(after)), ...(ended?.audit.after ?? {}) },
    },
    changed: [...(ended?.changed ?? []), ...listConcerned(row, after)],
  };
}

/** The directory deletes a member: they are offboarded, and it sees them no more. */
export async function deleteUser(tx: Prisma.TransactionClient, at: At, row: UserRow): Promise<Change<void>> {
  const { organizationId, userId } = row;
  const ended = row.status === 'active' ? await removeEverywhere(tx, { membership: row, at: new Date(at.nowMs) }) : undefined;
  await tx.groupMember.deleteMany({ where: { userId, group: { organizationId } } });
  await tx.orgMember.update({
    where: { organizationId_userId: { organizationId, userId } },
    data: { deletedAt: new Date(at.nowMs), userName: null, externalId: null, profile: Prisma.DbNull, role: 'member' },
  });
  return {
    result: undefined,
    audit: { targetKind: 'member', targetId: userId, before: auditUser(row), after: ended?.audit.after ?? null },
    changed: ended?.changed ?? [],
  };
}

function toColumns({ userName, externalId, profile }: UserWish) {
  return { userName: userName.toLowerCase(), externalId, profile: profile as Prisma.InputJsonObject };
}

/** One who leaves comes back as a plain member, unless the directory says something else then. */
function withoutRoles(wish: UserWish): UserWish {
  const { roles: _roles, ...profile } = wish.profile;
  return { ...wish, profile };
}

function chooseRole(row: UserRow, wish: UserWish, isLeaving: boolean): string {
  if (isLeaving) return 'member';
  return wish.role === 'admin' && row.role === 'owner' ? 'owner' : wish.role;
}

async function comeBack(tx: Prisma.TransactionClient, key: { organizationId: string; userId: string }): Promise<void> {
  const { organizationId, userId } = key;
  await tx.orgMember.update({ where: { organizationId_userId: key }, data: { status: 'active', offboardedAt: null } });
  await tx.groupMember.updateMany({ where: { userId, source: 'scim', group: { organizationId } }, data: { isActive: true } });
  await cancelOffboarding(tx, key);
}

type Named = { readonly organizationId: string; readonly userName: string; readonly userId?: string };

/** One of its kind among those that the directory sees; who is known by their address alone counts by that. */
async function checkUserName(tx: Prisma.TransactionClient, { organizationId, userName, userId }: Named): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`user-name:${organizationId}`}, 0))`;
  const name = userName.toLowerCase();
  const taken = await tx.orgMember.count({
    where: {
      ...{ organizationId, ...(userId === undefined ? {} : { NOT: { userId } }) },
      AND: [{ OR: [{ status: 'active' }, { deletedAt: null }] }, { OR: [{ userName: name }, { userName: null, user: { email: name } }] }],
    },
  });
  if (taken > 0) throw refuseTaken('userName', userName);
}

/** Address and name are the account's, and so the person's where it is elsewhere too: then the name stays, and an address is refused. */
async function changeAccount(tx: Prisma.TransactionClient, { organizationId, userId, user }: UserRow, wish: UserWish): Promise<void> {
  const { email = user.email, firstName = user.firstName, lastName = user.lastName } = wish;
  if (email === user.email && firstName === user.firstName && lastName === user.lastName) return;
  const isChanged = await changeOwnAccount(tx, { organizationId, userId, email, firstName, lastName });
  if (isChanged || email === user.email) return;
  if ((await tx.userAccount.count({ where: { email } })) > 0) throw refuseTaken('emails.value', email);
  const message =
    'The account of this person is in another organization too, or another account has the address, so it cannot be changed here.';
  throw refuse('mutability', message, 'emails.value');
}

/** Personal data stays out of the audit log, which keeps it for good: it has the names of what was changed. */
function auditUser(row: UserRow): Prisma.InputJsonObject {
  return { ...describeMembership(row), user_name: row.userName, external_id: row.externalId, active: row.status === 'active' };
}

function listChanged(before: ScimDocument, after: ScimDocument): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

/** What keys of the member may do hangs on their role, and on whether they are in their groups. */
function listConcerned(before: UserRow, after: UserRow): Saved['changed'] {
  const isConcerned = before.role !== after.role || before.status !== after.status;
  return isConcerned ? [{ entity: 'organization', entityId: after.organizationId }] : [];
}
