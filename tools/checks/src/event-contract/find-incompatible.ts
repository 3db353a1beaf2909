type Schema = Readonly<Record<string, unknown>>;
type Objects = Readonly<Record<string, Schema>>;

/** What describes a value for people alone. */
const WORDS = new Set(['description', 'title', '$id', '$schema']);

/**
 * What a reader of `before` would stumble over in values of `after`: fields that went, fields that may be absent now, and fields that
 * can be something else than before. New fields that a reader does not know are nothing.
 */
export function findIncompatible(before: Schema, after: Schema, path = ''): string[] {
  const [fields, newFields] = [propertiesOf(before), propertiesOf(after)];
  const gone = Object.keys(fields).filter((name) => !(name in newFields));
  const optional = requiredOf(before).filter((name) => name in newFields && !requiredOf(after).includes(name));
  const own = isSame(withoutFields(before), withoutFields(after)) ? [] : [`${path || 'the value'} can be something else than before`];
  return [
    ...own,
    ...gone.map((name) => `${path}/${name} is gone`),
    ...optional.map((name) => `${path}/${name} may be absent now`),
    ...Object.entries(fields).flatMap(([name, schema]) =>
      newFields[name] === undefined ? [] : findIncompatible(schema, newFields[name], `${path}/${name}`),
    ),
  ];
}

function propertiesOf(schema: Schema): Objects {
  const defined = (schema['$defs'] ?? {}) as Objects;
  return { ...((schema['properties'] ?? {}) as Objects), ...defined };
}

function requiredOf(schema: Schema): readonly string[] {
  return (schema['required'] ?? []) as readonly string[];
}

function withoutFields(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([word]) => !WORDS.has(word) && !['properties', '$defs', 'required'].includes(word)),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
