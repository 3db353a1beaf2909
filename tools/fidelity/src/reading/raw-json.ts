/** A JSON value of a shape no one vouches for; reads go down paths that may not be there. */
export type Raw = { readonly [name: string]: unknown };

export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function raw(value: unknown): Raw {
  return isRaw(value) ? value : {};
}

export function rawList(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(raw) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** A value by its path: `at(reply, 'message', 'content')`. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => raw(inner)[name], value);
}
