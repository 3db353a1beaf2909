/** On an object with texts that were not read yet: their names. On the outermost object: that there is such an object in it. */
const UNREAD = Symbol('unread texts');

type Holder = { readonly [UNREAD]?: Set<string> };

/** A text in a JSON value by the way to it, and how it is made. */
type LongText = { readonly path: readonly (string | number)[]; readonly read: () => string };

/**
 * Puts a text into a JSON value that is made when it is first asked for: most long texts of a request are only passed on. To everyone
 * who reads it, the value is what it would be with the text itself.
 */
export function placeLongText(json: object, { path, read }: LongText): void {
  let holder: object = json;
  for (const step of path.slice(0, -1)) holder = (holder as Record<string | number, object>)[step] as object;
  const name = String(path.at(-1));
  const unread = namesOf(holder);
  const place = (value: unknown): void => {
    unread.delete(name);
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): string => {
    const text = read();
    place(text);
    return text;
  };
  namesOf(json);
  unread.add(name);
  Object.defineProperty(holder, name, { get, set: place, enumerable: true, configurable: true });
}

/** Not copied with the object: a copy holds the texts themselves. */
function namesOf(holder: Holder): Set<string> {
  const found = holder[UNREAD];
  if (found !== undefined) return found;
  const names = new Set<string>();
  Object.defineProperty(holder, UNREAD, { value: names });
  return names;
}

/** Whether a JSON value was given such a text: of others nothing need be asked before it is read. */
export function mayHoldUnread(json: object): boolean {
  return UNREAD in json;
}

/** Whether a member is a long text that was not read yet: so much is known of it without reading it. */
export function isUnreadText(holder: object, name: string): boolean {
  return (holder as Holder)[UNREAD]?.has(name) === true;
}
