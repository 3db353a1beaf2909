import { GatewayError } from '@weir/errors';
import type { FormField, ParsedBody, ReceivedForm } from '@weir/http-server';

/** The gateway's own field, whole or by its members: `weir`, `weir[trace_id]`, `weir[extra][team]`, `weir[tags][]`. */
const OWN_FIELD = /^(?:weir|requesty)((?:\[[^[\]]*\])*)$/;
const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);
const NUMBERS = new Set(['n', 'partial_images', 'speed', 'temperature']);
/** As workers read it: what is a number to one and text to the other would be priced as something else than what is asked for. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const DEPTH_MAX = 2;
/** What admission decides by: it and the worker have to read the same, so there is one of each. */
const GIVEN_ONCE = new Set(['model', 'n', 'size', 'quality', 'partial_images', 'stream', 'user']);
const LIST_NAME = /\[\d*\]$/;

/** A form as admission reads it: as the same request would be in JSON, with its files by what distinguishes them, and itself without the gateway's own fields. */
type ReadForm = { readonly parsed: ParsedBody; readonly form: ReceivedForm };

/** Reads the fields of a form that decide about the request. Throws `invalid_request` naming the field at fault. */
export function readForm(form: ReceivedForm): ReadForm {
  const own = form.fields.filter(({ name }) => OWN_FIELD.test(name));
  const json = readMembers(form.fields.filter((field) => !own.includes(field)));
  for (const { field, name, type, size, digest } of form.files) addMember(json, field, { name, type, size, digest });
  if (own.length > 0) json['weir'] = readOwn(own);
  const fields = own.length === 0 ? form.fields : form.fields.filter((field) => !own.includes(field));
  return { parsed: { text: '', json }, form: { fields, files: form.files, discard: () => form.discard() } };
}

/**
 * What a form without the gateway's own fields says, as it was written: the order of fields with different names counts for nothing,
 * and files count by what distinguishes them.
 */
export function fingerprintForm({ fields, files }: ReceivedForm): string {
  const said: (readonly unknown[])[] = fields.map(({ name, value }) => [name, value]);
  for (const { field, name, type, size, digest } of files) said.push([field, name, type, size, digest]);
  const byName = said.map((entry) => ({ name: String(entry[0]), entry }));
  byName.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  return JSON.stringify(byName.map(({ entry }) => entry));
}

/** A field that comes again makes a list, as one does whose name says so, unless there can be only one. */
function readMembers(fields: readonly FormField[]): Record<string, unknown> {
  const json: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { name, value } of fields) {
    const plain = name.replace(LIST_NAME, '');
    if (GIVEN_ONCE.has(plain) && (plain !== name || json[plain] !== undefined)) {
      throw refuse(plain, 'must be given once, and by this name');
    }
    addMember(json, name, readScalar(name, value));
  }
  return json;
}

function addMember(json: Record<string, unknown>, name: string, value: unknown): void {
  const isList = name.endsWith('[]');
  const member = isList ? name.slice(0, -2) : name;
  const known = json[member];
  if (Array.isArray(known)) known.push(value);
  else if (known !== undefined) json[member] = [known, value];
  else json[member] = isList ? [value] : value;
}

function readScalar(name: string, value: string): unknown {
  if (name === 'stream') return FLAGS.get(value) ?? value;
  if (NUMBERS.has(name) && NUMBER.test(value)) return Number(value);
  return value;
}

function readOwn(fields: readonly FormField[]): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const { name, value } of fields) {
    const steps = [...(OWN_FIELD.exec(name)?.[1] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step ?? '');
    if (steps.length === 0) addMembers(own, name, parseObject(name, value));
    else placeMember(own, steps, { name, value });
  }
  return own;
}

function placeMember(own: Record<string, unknown>, steps: readonly string[], { name, value }: FormField): void {
  const [first = '', second] = steps;
  if (first === '' || steps.length > DEPTH_MAX || steps.includes('__proto__')) throw refuse(name, 'must name a member');
  if (second !== '' && isGiven(own, first, second)) throw refuse(name, 'must be given once');
  if (second === undefined) own[first] = value;
  else if (second === '') own[first] = [...(Array.isArray(own[first]) ? (own[first] as unknown[]) : []), value];
  else own[first] = { ...(typeof own[first] === 'object' ? own[first] : {}), [second]: value };
}

function addMembers(own: Record<string, unknown>, name: string, members: object): void {
  if (Object.keys(members).some((member) => own[member] !== undefined)) throw refuse(name, 'must give each of its members once');
  Object.assign(own, members);
}

function isGiven(own: Readonly<Record<string, unknown>>, first: string, second: string | undefined): boolean {
  const given = own[first];
  return second === undefined ? given !== undefined : typeof given === 'object' && given !== null && Object.hasOwn(given, second);
}

function parseObject(name: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined; // refused below like anything else that is no object
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(name, 'must be a JSON object');
  return value;
}

function refuse(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field.slice(0, 64)} ${why}.`, { field: field.slice(0, 64) });
}
