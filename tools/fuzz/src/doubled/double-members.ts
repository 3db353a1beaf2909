/** A body in which one member comes twice. */
type DoubledBody = { readonly path: string; readonly text: string };

/** Members that hold JSON of the caller's own: a member may come twice in there. */
const FREE_FORM: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'schema', 'input', 'arguments']);
const FREE_FORM_DEPTH_MIN = 3;

/**
 * Every way in which one member of a body can come twice: at the end of its object with another value, and once more with its name
 * written in escapes.
 */
export function doubleMembers(body: unknown): DoubledBody[] {
  return walk(body, { path: '', depth: 0, write: (text) => text });
}

type Place = {
  readonly path: string;
  readonly depth: number;
  /** The whole body with another text in this place. */
  readonly write: (text: string) => string;
};

function walk(value: unknown, place: Place): DoubledBody[] {
  if (Array.isArray(value)) return value.flatMap((element: unknown, index) => walk(element, enterElement(value, index, place)));
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Readonly<Record<string, unknown>>;
  return Object.entries(object).flatMap(([name, member]) => {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const whole = JSON.stringify(object).slice(0, -1);
    const doubled = [JSON.stringify(name), escapeName(name)].map((other) => ({ path, text: place.write(`${whole},${other}:null}`) }));
    const isFree = FREE_FORM.has(name) && place.depth + 1 >= FREE_FORM_DEPTH_MIN && typeof member === 'object';
    return isFree ? doubled : [...doubled, ...walk(member, enterMember(object, name, { ...place, path }))];
  });
}

function enterElement(list: readonly unknown[], index: number, { path, depth, write }: Place): Place {
  const written = list.map((element) => JSON.stringify(element));
  return { path: `${path}[${index}]`, depth: depth + 1, write: (text) => write(`[${written.with(index, text).join(',')}]`) };
}

function enterMember(object: Readonly<Record<string, unknown>>, name: string, { path, depth, write }: Place): Place {
  const writeObject = (text: string): string =>
    `{${Object.keys(object)
      .map((each) => `${JSON.stringify(each)}:${each === name ? text : JSON.stringify(object[each])}`)
      .join(',')}}`;
  return { path, depth: depth + 1, write: (text) => write(writeObject(text)) };
}

function escapeName(name: string): string {
  return `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
}
