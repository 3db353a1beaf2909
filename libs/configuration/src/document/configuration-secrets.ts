import type { ConfigurationDocument } from '@weir/contracts';

export type KeptSecret = { readonly env?: string | undefined; readonly file?: string | undefined; readonly value?: string | undefined };

/** What a reference leads to; undefined where no one is to look now. */
export type ResolveSecret = (reference: KeptSecret, path: string) => Promise<string | undefined>;

/** Every place of a document where a secret is referred to, with what stands there. */
export function listSecrets(document: unknown): { readonly path: readonly (string | number)[]; readonly reference: KeptSecret }[] {
  const { alerts, provider_credentials: credentials } = (document ?? {}) as Partial<Record<keyof ConfigurationDocument, unknown>>;
  return [
    ...entriesOf(alerts).flatMap(([index, alert]) => found(['alerts', index, 'url'], alert['url'])),
    ...entriesOf(credentials).flatMap(([index, credential]) => [
      ...found(['provider_credentials', index, 'api_key'], credential['api_key']),
      ...entriesOfObject(credential['fields']).flatMap(([field, value]) => found(['provider_credentials', index, 'fields', field], value)),
    ]),
  ];
}

/** The document with values in place of references; those that lead to nothing stay as they are. */
export async function resolveSecrets<Document>(document: Document, resolve: ResolveSecret): Promise<Document> {
  const copy = structuredClone(document);
  for (const { path, reference } of listSecrets(copy)) {
    if (reference.value !== undefined) continue;
    const value = await resolve(reference, path.join('.'));
    if (value === undefined) continue;
    const last = path[path.length - 1] as string;
    const holder = path.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(inner as object, name), copy) as Record<string, unknown>;
    holder[last] = { value };
  }
  return copy;
}

function entriesOf(section: unknown): [number, Readonly<Record<string, unknown>>][] {
  if (!Array.isArray(section)) return [];
  return (section as unknown[]).flatMap((entry, index) =>
    typeof entry === 'object' && entry !== null
      ? [[index, entry as Readonly<Record<string, unknown>>] as [number, Readonly<Record<string, unknown>>]]
      : [],
  );
}

function entriesOfObject(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function found(path: (string | number)[], value: unknown) {
  return typeof value === 'object' && value !== null ? [{ path, reference: value as KeptSecret }] : [];
}
