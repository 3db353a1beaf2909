import type { Prisma } from '@weir/database';
import type { OidcPerson } from './read-person';
import { isStorable } from '../../bodies/check-storable';
import { SignInRefusal } from './sign-in-refusal';

/** The account of a person: that of their subject at the issuer, else the one with their address, which the issuer has verified. */
export type FoundAccount = { readonly userId: string; readonly isLinked: boolean };

/**
 * Undefined for somebody who has no account. Throws for an address that is not verified, because it may be another's, and
 * for one that belongs to an account which somebody else at the same issuer signs in to: addresses are given to others.
 */
export async function findPerson(tx: Prisma.TransactionClient, person: OidcPerson): Promise<FoundAccount | undefined> {
  const { issuer, subject, email, isEmailVerified } = person;
  // Another text in its place might be the subject of somebody else.
  if (!isStorable(subject))
    throw new SignInRefusal('settings', 'the identity provider names the person by a subject with NUL or half of a surrogate pair in it');
  const known = await tx.userIdentity.findUnique({ where: { issuer_subject: { issuer, subject } }, select: { userId: true } });
  if (known !== null) return { userId: known.userId, isLinked: true };
  if (email === null || !isEmailVerified)
    throw new SignInRefusal('email', 'the identity provider does not say that the address of the person is verified');
  const byAddress = await tx.userAccount.findUnique({
    where: { email },
    select: { id: true, identities: { where: { issuer }, select: { subject: true } } },
  });
  if (byAddress === null) return undefined;
  if (byAddress.identities.length > 0)
    throw new SignInRefusal('account', 'the address belongs to a person who has another account at this identity provider');
  return { userId: byAddress.id, isLinked: false };
}
