import { validateBody, type BodySchema } from '@weir/contracts';

/** What is wrong with a body, by its fields as `labels.team`. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

/**
 * Checks a body by the schema that the interface checks it by, before it is sent; empty where nothing is wrong. `typed` is what no
 * schema can see, such as a text that is no amount: it comes first.
 */
export function checkBody(schema: BodySchema, body: object, typed: FieldErrors = {}): FieldErrors {
  const { problems = [] } = validateBody(schema, body);
  return mergeErrors(typed, ...problems.map(({ field, problem, isUnknown }) => ({ [field]: isUnknown ? 'is not known' : problem })));
}

/** Of several errors of a field the first is the one to see. */
export function mergeErrors(...all: readonly FieldErrors[]): FieldErrors {
  const errors = new Map<string, string>();
  for (const [field, error] of all.flatMap((some) => Object.entries(some))) {
    if (error !== undefined && !errors.has(field)) errors.set(field, error);
  }
  return Object.fromEntries(errors);
}

/** The errors of a body that is part of a larger form, under a name of its own. */
export function nestErrors(name: string, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [`${name}.${field}`, error]));
}

export function hasErrors(errors: FieldErrors): boolean {
  return Object.values(errors).some((error) => error !== undefined);
}

/** The first error of one of the fields, `labels.team` being part of `labels`, as a sentence to stand below its input. */
export function findError(errors: FieldErrors, fields: readonly string[]): string | undefined {
  for (const [field, error] of Object.entries(errors)) {
    const name = fields.find((one) => isWithin(field, one));
    if (error !== undefined && name !== undefined) return writeSentence(field.slice(name.length).replace(/^\./, ''), error);
  }
  return undefined;
}

/** The first error of a field that is none of these, with its name. */
export function findErrorElsewhere(errors: FieldErrors, fields: readonly string[]): string | undefined {
  const found = Object.entries(errors).find(([field, error]) => error !== undefined && !fields.some((name) => isWithin(field, name)));
  return found === undefined ? undefined : writeSentence(found[0], found[1] ?? '');
}

export function isWithin(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}

/** A form's own errors are sentences already. */
function writeSentence(inner: string, error: string): string {
  const text = inner === '' ? error : `“${inner}” ${error}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
