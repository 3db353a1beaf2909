/** The kinds of objects that a configuration is made of. A setting is one field of the organization's settings. */
export type ConfigurationKind =
  | 'setting'
  | 'member'
  | 'policy'
  | 'alias'
  | 'access_list'
  | 'group'
  | 'group_member'
  | 'key'
  | 'guardrail'
  | 'limit'
  | 'alert'
  | 'provider_credential';

/** What an object is made of, with names in place of ids. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a secret is compared by: never the secret. */
export type SecretDigest = { readonly secret: string };

/** An object as the document wants it. */
export type DesiredObject = {
  readonly kind: ConfigurationKind;
  /** As the document calls it; of a member of a group `group/e-mail`. */
  readonly name: string;
  /** Where it stands in the document, `keys.3`. */
  readonly path: string;
  readonly fields: Fields;
};

/** Which configuration looks after an object. */
export type Owner = {
  readonly configuration: string;
  /** It made the object, or was asked to take it over as if it had: then it may take it away, too. */
  readonly isMade: boolean;
};

/** An object as the organization has it. */
export type CurrentObject = {
  readonly kind: ConfigurationKind;
  readonly name: string;
  readonly id: string;
  readonly fields: Fields;
  readonly owner?: Owner | undefined;
};

/** The same for objects that are there and objects that are wanted. */
export function keyOf({ kind, name }: { readonly kind: ConfigurationKind; readonly name: string }): string {
  return `${kind}\n${name}`;
}
