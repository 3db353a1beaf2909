import { findByName, findValuePart, isObject, type ScimAttribute } from './attribute';
import { refuseValue } from './refusals';

const CHARS_MAX = 1_024;
/** Of lists but members of groups, which the size of the body bounds. */
const ELEMENTS_MAX = 100;
const MEMBERS = 'members';

/**
 * A value as it is kept: with the names of the schema, without what is not in it or may not be written. Undefined is what
 * unassigns: null, and what has nothing in it. Throws `invalidValue` for what is of another type.
 */
export function readValue(attribute: ScimAttribute, value: unknown, field: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.isMultiple !== true) return readOne(attribute, value, field);
  // Some directories send one value where a list is meant.
  const elements = Array.isArray(value) ? (value as unknown[]) : [value];
  if (elements.length > ELEMENTS_MAX && attribute.name !== MEMBERS) throw refuseValue(field, `may have ${ELEMENTS_MAX} values at most`);
  const read = elements.map((element, index) => readOne(attribute, element, `${field}.${index}`)).filter((one) => one !== undefined);
  return read.length === 0 ? undefined : keepOnePrimary(read);
}

/** One element of a list, or the value of an attribute that has one. */
export function readOne(attribute: ScimAttribute, value: unknown, field: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.type === 'complex') return readComplex(attribute, value, field);
  if (attribute.type === 'boolean') return readBoolean(value, field);
  if (typeof value !== 'string') throw refuseValue(field, 'must be text');
  if (value.length > CHARS_MAX) throw refuseValue(field, `may have ${CHARS_MAX} characters at most`);
  return value === '' ? undefined : value;
}

function readComplex(attribute: ScimAttribute, value: unknown, field: string): unknown {
  const whole = findValuePart(attribute);
  // The id of a manager, or a role, without an object around it.
  if (typeof value === 'string' && whole !== undefined) return readComplex(attribute, { [whole.name]: value }, field);
  if (!isObject(value)) throw refuseValue(field, 'must be an object');
  return readParts(attribute.parts ?? [], value, field);
}

/** Members that are attributes, under their names there; undefined for none. */
export function readParts(attributes: readonly ScimAttribute[], value: Readonly<Record<string, unknown>>, field: string): unknown {
  const read: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const attribute = findByName(attributes, name);
    if (attribute === undefined || attribute.isReadOnly === true) continue;
    const kept = readValue(attribute, inner, field === '' ? attribute.name : `${field}.${attribute.name}`);
    if (kept !== undefined) read[attribute.name] = kept;
  }
  return Object.keys(read).length === 0 ? undefined : read;
}

/** Some directories write truth values as text. */
function readBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw refuseValue(field, 'must be true or false');
}

/** Of several the last one that says so, which is the newest. */
export function keepOnePrimary(elements: readonly unknown[]): unknown[] {
  const last = elements.findLastIndex((element) => isObject(element) && element['primary'] === true);
  return elements.map((element, index) =>
    isObject(element) && element['primary'] === true && index !== last ? { ...element, primary: false } : element,
  );
}
