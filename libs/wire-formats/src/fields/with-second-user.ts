import { findString, type JsonObject } from './field-readers';

/** Adds the older name of the end user to the fields without a word, where it names another user than the newer name. */
export function withSecondUser(body: JsonObject, unmapped: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const user = findString(body, 'user');
  const newer = findString(body, 'safety_identifier');
  return user === undefined || newer === undefined || user === newer ? unmapped : { ...unmapped, user };
}
