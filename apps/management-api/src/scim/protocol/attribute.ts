/** One attribute of a resource, as RFC 7643 describes it; what is left out is the usual: readWrite, returned by default, text. */
export type ScimAttribute = {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'reference' | 'dateTime' | 'complex';
  readonly about: string;
  readonly isMultiple?: true;
  readonly isRequired?: true;
  readonly isCaseExact?: true;
  readonly isReadOnly?: true;
  readonly isUnique?: true;
  /** The words that are usual, or all there are. */
  readonly words?: readonly string[];
  readonly refersTo?: readonly string[];
  /** Sub-attributes of a complex one. */
  readonly parts?: readonly ScimAttribute[];
};

export type ScimSchema = {
  /** A URN. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly attributes: readonly ScimAttribute[];
};

/** A kind of resource: what it may have, and where it is. */
export type ResourceKind = {
  readonly name: 'User' | 'Group';
  readonly path: '/Users' | '/Groups';
  readonly about: string;
  readonly schema: ScimSchema;
  readonly extensions: readonly ScimSchema[];
};

/** A resource as JSON, with the names of the schema; an extension is a member under its URN. */
export type ScimDocument = Readonly<Record<string, unknown>>;

/** What every resource has beside its schema. */
export const COMMON_ATTRIBUTES: readonly ScimAttribute[] = [
  { name: 'schemas', type: 'reference', about: 'The schemas of the resource.', isMultiple: true, isReadOnly: true },
  { name: 'id', type: 'string', about: 'The id here.', isCaseExact: true, isReadOnly: true },
  { name: 'externalId', type: 'string', about: 'The id in the directory.', isCaseExact: true },
  {
    ...{ name: 'meta', type: 'complex', about: 'About the resource itself.', isReadOnly: true },
    parts: [
      { name: 'resourceType', type: 'string', about: 'User or Group.', isReadOnly: true, isCaseExact: true },
      { name: 'created', type: 'dateTime', about: 'When it was made.', isReadOnly: true },
      { name: 'lastModified', type: 'dateTime', about: 'When it was changed last.', isReadOnly: true },
      { name: 'location', type: 'reference', about: 'Where it is.', isReadOnly: true, isCaseExact: true },
      { name: 'version', type: 'string', about: 'Its ETag.', isReadOnly: true, isCaseExact: true },
    ],
  },
];

/** Names of attributes are compared without case. */
export function findByName<Named extends { readonly name: string }>(among: readonly Named[], name: string): Named | undefined {
  const wanted = name.toLowerCase();
  return among.find((one) => one.name.toLowerCase() === wanted);
}

export function findAttribute({ schema }: ResourceKind, name: string): ScimAttribute | undefined {
  return findByName(schema.attributes, name) ?? findByName(COMMON_ATTRIBUTES, name);
}

/** The part that stands for the whole where none is named: `members eq "…"`. */
export function findValuePart({ parts = [] }: ScimAttribute): ScimAttribute | undefined {
  return findByName(parts, 'value');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
