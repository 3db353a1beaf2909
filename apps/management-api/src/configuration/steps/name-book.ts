import { keyOf, KINDS, type ConfigurationKind } from '@weir/configuration';
import { GatewayError } from '@weir/errors';

/** What a step cannot be carried out without, and is not there because another step failed. */
export class MissingStep extends Error {
  override readonly name = 'MissingStep';
}

/** Which id a name stands for, while objects are made. */
export type NameBook = {
  set(kind: ConfigurationKind, name: string, id: string): void;
  /** Notes that an object could not be made, so that what refers to it is not complained about as well. */
  fail(kind: ConfigurationKind, name: string): void;
  /** Throws `invalid_request`, naming the field, when nothing has the name, or several have. */
  find(kind: ConfigurationKind, name: string, field: string): string;
};

export function createNameBook(
  ids: ReadonlyMap<string, string>,
  /** Names that several objects have, and how the document may call each of them. */
  shared: ReadonlyMap<string, readonly string[]>,
): NameBook {
  const known = new Map(ids);
  const failed = new Set<string>();
  return {
    set: (kind, name, id) => void known.set(keyOf({ kind, name }), id),
    fail: (kind, name) => void failed.add(keyOf({ kind, name })),
    find: (kind, name, field) => {
      const key = keyOf({ kind, name });
      const id = known.get(key);
      if (id !== undefined) return id;
      if (failed.has(key)) throw new MissingStep(`the ${KINDS[kind].word} "${name}" could not be made`);
      const several = shared.get(key);
      const message =
        several === undefined
          ? `there is no ${KINDS[kind].word} "${name}" in the organization, nor in this document`
          : `several have the name "${name}"; write which one: ${several.map((each) => `"${each}"`).join(' or ')}`;
      throw new GatewayError('invalid_request', message, { field });
    },
  };
}
