type Path = readonly (string | number)[];

/** One value of each kind, and edges of numbers. */
const VALUES: readonly unknown[] = [null, true, 7, -1, 1.5, 3e9, '', 'x', [], ['x'], {}, { x: 1 }];
/** Fields that the decoders leave to others. */
const ELSEWHERE = new Set(['weir', 'requesty']);

/** Copies of a body with one value in it exchanged or taken away, at most `max`, spread over all of them. */
export function mutate(body: object, max: number): { readonly what: string; readonly body: Record<string, unknown> }[] {
  const all = listPaths(body, []).flatMap((path) => [
    ...VALUES.map((value) => ({ path, value, what: `${path.join('.')} = ${JSON.stringify(value)}` })),
    { path, value: undefined, what: `no ${path.join('.')}` },
  ]);
  const step = Math.max(1, Math.ceil(all.length / max));
  return all
    .filter((_, index) => index % step === 0)
    .map(({ path, value, what }) => ({ what, body: put(body, path, value) as Record<string, unknown> }));
}

function listPaths(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (path.length === 0 && ELSEWHERE.has(key)) return [];
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    return [here, ...listPaths(inner, here)];
  });
}

function put(holder: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(holder)) {
    const kept = holder.map((item: unknown, index) => (index === key ? put(item, rest, value) : item));
    return rest.length === 0 && value === undefined ? kept.filter((_, index) => index !== key) : kept;
  }
  const copy = { ...(holder as Record<string, unknown>) };
  const changed = put(copy[key], rest, value);
  if (changed === undefined) delete copy[key];
  else copy[key] = changed;
  return copy;
}
