/** A body with a secret in one place of it. */
export type PlantedBody = { readonly path: string; readonly kind: 'text' | 'name'; readonly body: Record<string, unknown> };

/** Every way to put a secret in place of one text of a JSON object, or of the name of one member, and beside its members. */
export function plantSecrets(body: object, secret: string): PlantedBody[] {
  return plant(body, '', (value) => value as Record<string, unknown>);

  function plant(value: unknown, path: string, put: (value: unknown) => Record<string, unknown>): PlantedBody[] {
    if (typeof value === 'string') return [{ path, kind: 'text', body: put(secret) }];
    if (Array.isArray(value)) {
      return value.flatMap((element: unknown, index) => plant(element, `${path}[${index}]`, (other) => put(value.with(index, other))));
    }
    if (typeof value !== 'object' || value === null) return [];
    const entries = Object.entries(value);
    const renamed = entries.map(([name]): PlantedBody => ({
      path: `${path}.${name}`,
      kind: 'name',
      body: put(Object.fromEntries(entries.map(([each, member]) => [each === name ? secret : each, member as unknown]))),
    }));
    const added: PlantedBody[] = [
      { path: `${path}.x_new`, kind: 'text', body: put({ ...value, x_new: secret }) },
      { path: `${path}.x_new.deep`, kind: 'text', body: put({ ...value, x_new: [{ deep: secret }] }) },
    ];
    const inner = entries.flatMap(([name, member]) => plant(member, `${path}.${name}`, (other) => put({ ...value, [name]: other })));
    return [...renamed, ...added, ...inner];
  }
}
