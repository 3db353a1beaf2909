import type { KeptSecret } from '../document/configuration-secrets';
import { keyOf, type DesiredObject, type Fields, type SecretDigest } from './configuration-object';
import type { Problem } from '../document/problem';

/** What two secrets are compared by. */
export type DigestSecret = (value: string) => SecretDigest;

type Hidden = {
  /** With digests in place of secrets; a secret that leads to nothing is left out, and so is not compared. */
  readonly objects: readonly DesiredObject[];
  /** The values, by `keyOf` and field. */
  readonly secrets: ReadonlyMap<string, Fields>;
  /** References that no one has followed. */
  readonly unread: readonly Problem[];
};

/** Takes the secrets out of what is wanted, so that what is planned, shown and logged has none. */
export function hideSecrets(desired: readonly DesiredObject[], digest: DigestSecret): Hidden {
  const secrets = new Map<string, Fields>();
  const unread: Problem[] = [];
  const objects = desired.map((object) => {
    if (object.kind === 'alert') return hideAddress(object, { digest, secrets, unread });
    return object.kind === 'provider_credential' ? hideAccount(object, { digest, secrets, unread }) : object;
  });
  return { objects, secrets, unread };
}

type Hiding = { readonly digest: DigestSecret; readonly secrets: Map<string, Fields>; readonly unread: Problem[] };

function hideAddress(object: DesiredObject, { digest, secrets, unread }: Hiding): DesiredObject {
  const { url, ...fields } = object.fields;
  if (typeof url !== 'object' || url === null) return object;
  const { value } = url as KeptSecret;
  if (value === undefined) {
    unread.push(explainUnread(`${object.path}.url`));
    return { ...object, fields };
  }
  // Addresses of webhooks are shown by the interface as well.
  if (fields['channel'] === 'webhook' || fields['channel'] === undefined) return { ...object, fields: { ...fields, url: value } };
  secrets.set(keyOf(object), { url: value });
  return { ...object, fields: { ...fields, url: digest(value) } };
}

function hideAccount(object: DesiredObject, { digest, secrets, unread }: Hiding): DesiredObject {
  const { api_key: apiKey, fields: account = { api_key: apiKey }, ...fields } = object.fields;
  const values: Record<string, string> = {};
  for (const [field, given] of Object.entries(account as Fields)) {
    const value = typeof given === 'string' ? given : (given as KeptSecret | undefined)?.value;
    if (value === undefined) {
      unread.push(explainUnread(`${object.path}.${apiKey === undefined ? `fields.${field}` : field}`));
      return { ...object, fields };
    }
    values[field] = value;
  }
  secrets.set(keyOf(object), values);
  const digests = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, digest(value)]));
  return { ...object, fields: { ...fields, account: digests } };
}

function explainUnread(path: string): Problem {
  return { path, message: 'this refers to a secret that was not sent with the document: `weir apply` reads it and sends {value: …}' };
}

/** A value as it may be shown: what stands for a secret says no more than that. */
export function showWithoutSecrets(value: unknown, word: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === 'secret') return word;
  return Object.fromEntries(entries.map(([name, inner]) => [name, showWithoutSecrets(inner, word)]));
}
