import { isStorable } from '../../bodies/check-storable';
import type { OidcSettings } from './read-oidc-settings';

/** Who has signed in at the provider, as its token says. */
export type OidcPerson = {
  readonly issuer: string;
  readonly subject: string;
  /** Lower case; null where the provider states none. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
};

type Claims = Readonly<Record<string, unknown>>;

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const NAME_LENGTH_MAX = 200;
const GROUPS_MAX = 10_000;

/** Whether the ID token lacks what is needed and the provider may say at its userinfo endpoint. */
export function lacksClaims(claims: Claims, { groupsClaim, roles }: Pick<OidcSettings, 'groupsClaim' | 'roles'>): boolean {
  return claims['email'] === undefined || (roles !== undefined && findClaim(claims, groupsClaim) === undefined);
}

/** Reads claims that were checked: the ID token's, and for what it does not say those of the userinfo endpoint. */
export function readPerson(
  token: Claims & { readonly iss: string; readonly sub: string },
  info: Claims,
  { groupsClaim, trustsEmail }: Pick<OidcSettings, 'groupsClaim' | 'trustsEmail'>,
): OidcPerson {
  // An address counts with the word about it that came with it.
  const addressed = token['email'] === undefined ? info : token;
  const email = isText(addressed['email']) && EMAIL.test(addressed['email']) ? addressed['email'].toLowerCase() : null;
  const verified = addressed['email_verified'];
  return {
    issuer: token.iss,
    subject: token.sub,
    email,
    isEmailVerified: email !== null && (verified === true || verified === 'true' || (verified === undefined && trustsEmail)),
    firstName: readName(token['given_name'] ?? info['given_name']),
    lastName: readName(token['family_name'] ?? info['family_name']),
    groups: readGroups(findClaim(token, groupsClaim) ?? findClaim(info, groupsClaim)),
  };
}

/** By its whole name, which may be an address with dots, or as a path: `realm_access.roles`. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found;
}

/** No address, and no group of ours, is called by what cannot be kept. */
function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && isStorable(claim);
}

function readGroups(claim: unknown): string[] {
  return [claim].flat().filter(isText).slice(0, GROUPS_MAX);
}

function readName(claim: unknown): string {
  const name = typeof claim === 'string' ? claim.replaceAll('\0', '').slice(0, NAME_LENGTH_MAX) : '';
  return name.replace(/\p{Surrogate}/gu, '\ufffd');
}
