import { isObject, type ScimDocument } from '../protocol/attribute';
import { refuseValue } from '../protocol/refusals';

/** What a directory wants a member to be, in the words of the tables here. */
export type UserWish = {
  /** As it was written. */
  readonly userName: string;
  readonly externalId: string | null;
  readonly isActive: boolean;
  readonly role: 'admin' | 'member';
  /** Lower case; undefined where the directory states none. */
  readonly email: string | undefined;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  /** All that is kept as it was written. */
  readonly profile: ScimDocument;
};

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;
const NAME_CHARS_MAX = 200;
/** Lists have many of them. */
const PROFILE_CHARS_MAX = 16_384;

/** Reads a resource that was checked against its schema. Throws `invalidValue` for what no member can be. */
export function readWish(document: ScimDocument): UserWish {
  const { externalId, active, userName, ...rest } = document;
  if (typeof userName !== 'string') throw refuseValue('userName', 'is required');
  const profile = { userName, ...rest };
  if (JSON.stringify(profile).length > PROFILE_CHARS_MAX)
    throw refuseValue('User', `may have ${PROFILE_CHARS_MAX} characters at most in all`);
  const name = isObject(rest['name']) ? rest['name'] : {};
  return {
    ...{ userName, externalId: typeof externalId === 'string' ? externalId : null, isActive: active !== false },
    role: readRole(rest['roles']),
    email: readEmail(rest['emails'], userName),
    ...{ firstName: readName(name['givenName']), lastName: readName(name['familyName']) },
    profile,
  };
}

function readRole(roles: unknown): 'admin' | 'member' {
  if (!Array.isArray(roles)) return 'member';
  const values = roles.map((role: unknown) => (isObject(role) ? role['value'] : undefined));
  const unknown = values.find((value) => value !== 'admin' && value !== 'member');
  if (values.length > 0 && values.some((value) => value !== 'admin' && value !== 'member'))
    throw refuseValue('roles', `must be "admin" or "member", and not "${String(unknown)}"`);
  return values.includes('admin') ? 'admin' : 'member';
}

function readEmail(emails: unknown, userName: string): string | undefined {
  const stated = (Array.isArray(emails) ? (emails as unknown[]) : []).filter(isObject).filter(({ value }) => typeof value === 'string');
  const chosen = stated.find(({ primary }) => primary === true) ?? stated[0];
  if (chosen === undefined) return EMAIL.test(userName) ? userName.toLowerCase() : undefined;
  const address = String(chosen['value']).toLowerCase();
  if (!EMAIL.test(address)) throw refuseValue('emails.value', 'must be an email address');
  return address;
}

function readName(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, NAME_CHARS_MAX) : undefined;
}
