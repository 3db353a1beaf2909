type JsonType = 'text' | 'number' | 'flag' | 'list' | 'object';

/** As the table of priced members has it. */
type Kind = { readonly types: readonly JsonType[]; readonly members?: Kinds | undefined; readonly items?: Kind | undefined };
type Kinds = Readonly<Record<string, Kind>>;

/** A member with a value of a wrong type: `field` is the path of what is wrong. */
export type Planted = { readonly field: string; readonly member: string; readonly value: unknown };
type Place = { readonly field: string; readonly value: unknown };

const VALUES: Readonly<Record<JsonType, readonly unknown[]>> = {
  text: ['200', 'NaN', ''],
  number: [-1, 1.5, 1e300],
  flag: [true, false],
  list: [[], [1]],
  object: [{}, { a: 1 }],
};
const JSON_TYPES = Object.keys(VALUES) as JsonType[];

/** Every value of every wrong JSON type, in every member of a table and wherever it has members of its own. */
export function plantWrongTypes(kinds: Kinds): Planted[] {
  return Object.entries(kinds).flatMap(([member, kind]) =>
    plantIn(kind).map(({ field, value }) => ({ field: `${member}${field}`, member, value })),
  );
}

function plantIn({ types, members = {}, items }: Kind): Place[] {
  const wrong = JSON_TYPES.filter((type) => !types.includes(type)).flatMap((type) => VALUES[type].map((value) => ({ field: '', value })));
  const inside = Object.entries(members).flatMap(([name, kind]) =>
    plantIn(kind).map(({ field, value }) => ({ field: `.${name}${field}`, value: { [name]: value } })),
  );
  const listed = items === undefined ? [] : plantIn(items).map(({ field, value }) => ({ field: `[0]${field}`, value: [value] }));
  return [...wrong, ...inside, ...listed];
}
