import { findString, type JsonObject } from './field-readers';

/** The end user, by the newer of the two names. */
export function decodeEndUser(body: JsonObject): string | undefined {
  return findString(body, 'safety_identifier') ?? findString(body, 'user');
}

/** Adds the older name to the fields without a word, where it names another user than the newer one. */
export function withSecondUser(body: JsonObject, unmapped: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const user = findString(body, 'user');
  return user === undefined || user === decodeEndUser(body) ? unmapped : { ...unmapped, user };
}
