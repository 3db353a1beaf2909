import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders } from 'node:http';

/** What the caller said about the request, for usage reports; none of it reaches the provider. */
type RequestMetadata = {
  readonly originTitle: string | null;
  readonly endUserId: string | null;
  readonly traceId: string | null;
  readonly extra: Record<string, string>;
};

const FIELDS_MAX = 20;
const VALUE_LENGTH_MAX = 64;
const TITLE_LENGTH_MAX = 128;
/** `__proto__` is no name of a member: what is set under it gets lost. */
const FIELD_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;
const FIELD_HEADER = /^x-(?:weir|requesty)-(.+)$/;
/** `X-Weir-*` headers that steer the gateway instead of describing the request. */
const STEERING = new Set(['strict', 'passport', 'debug', 'data-policy', 'cache', 'priority']);
const NO_EXTRA: Record<string, string> = Object.freeze({});

/** Reads metadata from headers and from the body's `weir` object. Throws `invalid_request` naming the field at fault. */
export function readRequestMetadata(headers: IncomingHttpHeaders, body: Record<string, unknown>): RequestMetadata {
  const extension = readExtension(body);
  const extra = readExtra(headers, extension);
  const title = headers['x-title'];
  return {
    originTitle: typeof title === 'string' && title !== '' ? title.slice(0, TITLE_LENGTH_MAX) : null,
    endUserId: readEndUserId(body, extension),
    traceId: extension === undefined ? null : readText(extension['trace_id'], 'weir.trace_id'),
    extra,
  };
}

/** The body's `weir` object, which is the gateway's own and reaches no provider. */
export function readExtension(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const value = body['weir'] ?? body['requesty'];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('weir', 'must be an object');
  return value as Record<string, unknown>;
}

function readExtra(headers: IncomingHttpHeaders, extension: Record<string, unknown> | undefined): Record<string, string> {
  const fields = [...findHeaderFields(headers), ...(extension === undefined ? [] : findBodyFields(extension))];
  if (fields.length === 0) return NO_EXTRA;
  const extra: Record<string, string> = {};
  for (const { name, value, field } of fields) {
    if (!FIELD_NAME.test(name)) throw invalid(field, 'must be named with 1 to 64 letters, digits, "_", "." or "-", and not "__proto__"');
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw invalid(field, 'must be text');
    if (String(value).length > VALUE_LENGTH_MAX) throw invalid(field, `must have at most ${VALUE_LENGTH_MAX} characters`);
    extra[name] = String(value);
  }
  if (Object.keys(extra).length > FIELDS_MAX) throw invalid('weir.extra', `must have at most ${FIELDS_MAX} fields`);
  return extra;
}

type ExtraField = { readonly name: string; readonly value: unknown; readonly field: string };

function findHeaderFields(headers: IncomingHttpHeaders): ExtraField[] {
  const found: ExtraField[] = [];
  for (const header in headers) {
    if (!header.startsWith('x-weir-') && !header.startsWith('x-requesty-')) continue;
    const name = FIELD_HEADER.exec(header)?.[1];
    if (name !== undefined && !STEERING.has(name)) found.push({ name, value: headers[header], field: header });
  }
  return found;
}

function findBodyFields({ extra, tags }: Record<string, unknown>): ExtraField[] {
  if (extra !== undefined && (typeof extra !== 'object' || Array.isArray(extra))) throw invalid('weir.extra', 'must be an object');
  const found = Object.entries(extra ?? {}).map(([name, value]) => ({
    name,
    value: value as unknown,
    field: `weir.extra.${name.slice(0, 64)}`,
  }));
  const reported = readTags(tags);
  if (reported.length > 0) found.push({ name: 'tags', value: reported.join(','), field: 'weir.tags' });
  return found;
}

function readTags(tags: unknown): readonly string[] {
  if (tags === undefined || tags === null) return [];
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) throw invalid('weir.tags', 'must be a list of texts');
  return tags;
}

/** The end user in whichever field the dialect has for it; our own field wins. */
function readEndUserId(body: Record<string, unknown>, extension: Record<string, unknown> | undefined): string | null {
  const metadata = body['metadata'];
  const fromMetadata = typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>)['user_id'] : undefined;
  const own = extension === undefined ? null : readText(extension['user_id'], 'weir.user_id');
  for (const value of [own, body['safety_identifier'], body['user'], fromMetadata]) {
    if (typeof value === 'string' && value !== '') return value.slice(0, 256);
  }
  return null;
}

function readText(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > 256) throw invalid(field, 'must be text of at most 256 characters');
  return value;
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
