/** On an object with texts that were not read yet: how each is made. On the outermost object: that there is such an object in it. */
const UNREAD = Symbol('unread texts');

type Unread = Map<string, () => string>;
type Holder = { readonly [UNREAD]?: Unread };

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
  const accessor = findAccessor(name);
  if (accessor === undefined) return place(holder, name, read());
  unreadOf(json);
  unreadOf(holder).set(name, read);
  Object.defineProperty(holder, name, accessor);
}

type Accessor = {
  get(this: Holder): unknown;
  set(this: Holder, value: unknown): void;
  readonly enumerable: true;
  readonly configurable: true;
};

const ACCESSORS_MAX = 256;
const accessors = new Map<string, Accessor>();

/**
 * One for each name, for all objects: V8 keeps a shape in the old heap for each new function that stands as a getter, and with it
 * all that the function can reach. Undefined when there are so many names that callers must have invented them.
 */
function findAccessor(name: string): Accessor | undefined {
  const known = accessors.get(name);
  if (known !== undefined || accessors.size >= ACCESSORS_MAX) return known;
  const accessor: Accessor = {
    get() {
      const text = this[UNREAD]?.get(name)?.();
      place(this, name, text);
      return text;
    },
    set(value) {
      place(this, name, value);
    },
    enumerable: true,
    configurable: true,
  };
  accessors.set(name, accessor);
  return accessor;
}

function place(holder: Holder, name: string, value: unknown): void {
  holder[UNREAD]?.delete(name);
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Not copied with the object: a copy holds the texts themselves. */
function unreadOf(holder: Holder): Unread {
  const found = holder[UNREAD];
  if (found !== undefined) return found;
  const unread: Unread = new Map();
  Object.defineProperty(holder, UNREAD, { value: unread });
  return unread;
}

/** Whether a JSON value was given such a text: of others nothing need be asked before it is read. */
export function mayHoldUnread(json: object): boolean {
  return UNREAD in json;
}

/** Whether a member is a long text that was not read yet: so much is known of it without reading it. */
export function isUnreadText(holder: object, name: string): boolean {
  return (holder as Holder)[UNREAD]?.has(name) === true;
}
