import { GatewayError } from '@weir/errors';
import type { IncomingHttpHeaders } from 'node:http';

/** Sent by clients of the dialect whose model lists have pages and records of their own. */
export const VERSION_HEADER = 'anthropic-version';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;
const OWNERS_OF_NAMES: ReadonlySet<unknown> = new Set(['organization', 'weir']);

type PublicRecord = {
  readonly id: string;
  readonly owned_by: string;
  readonly created: number;
  readonly retires?: number;
  readonly context_window?: number;
  readonly max_output_tokens?: number;
};

export function wantsPages(headers: IncomingHttpHeaders): boolean {
  return headers[VERSION_HEADER] !== undefined;
}

/** One page of a list, the newest models first. `records` are public records as JSON text. */
export function encodePage(records: readonly string[], query: Readonly<Record<string, unknown>>): string {
  const limit = readLimit(query['limit']);
  const { after_id: after, before_id: before } = query;
  if (after !== undefined && before !== undefined) {
    throw new GatewayError('invalid_request', 'Send after_id or before_id, not both.', { field: 'before_id' });
  }
  const sorted = records.map(parse).sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
  const [first, end] =
    before === undefined ? [findPlace(sorted, after, 'after_id') + 1, sorted.length] : [0, findPlace(sorted, before, 'before_id')];
  const start = before === undefined ? first : Math.max(0, end - limit);
  const page = sorted.slice(start, Math.min(start + limit, end));
  return JSON.stringify({
    data: page.map(toPagedRecord),
    has_more: before === undefined ? start + page.length < end : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  });
}

export function encodePagedRecord(record: string): string {
  return JSON.stringify(toPagedRecord(parse(record)));
}

function parse(record: string): PublicRecord {
  return JSON.parse(record) as PublicRecord;
}

function readLimit(given: unknown): number {
  if (given === undefined) return LIMIT_DEFAULT;
  const limit = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new GatewayError('invalid_request', `limit must be a whole number from 1 to ${LIMIT_MAX}.`, { field: 'limit' });
}

/** Where a cursor stands; -1 without one. */
function findPlace(sorted: readonly PublicRecord[], cursor: unknown, field: string): number {
  if (cursor === undefined) return -1;
  const place = sorted.findIndex(({ id }) => id === cursor);
  if (place === -1) throw new GatewayError('invalid_request', `${field} must be the id of a model of this list.`, { field });
  return place;
}

function toPagedRecord(record: PublicRecord): object {
  const { retires } = record;
  return {
    type: 'model',
    id: record.id,
    display_name: OWNERS_OF_NAMES.has(record.owned_by) ? record.id : nameForPeople(record.id, record.owned_by),
    created_at: toTime(record.created),
    max_input_tokens: record.context_window ?? null,
    max_tokens: record.max_output_tokens ?? null,
    lifecycle: retires === undefined ? 'active' : retires * 1_000 > Date.now() ? 'deprecated' : 'retired',
    deprecated_at: null,
    retires_at: retires === undefined ? null : toTime(retires),
    line: null,
    capabilities: null,
  };
}

function toTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}

const DATE = /^20\d{6}$/;
const SHORT_NUMBER = /^\d{1,2}$/;

/** `host/vendor/some-model-4-5-20250929` as `Some Model 4.5 (20250929, host)`. */
function nameForPeople(id: string, vendor: string): string {
  const steps = id.split('/');
  const host = steps[0] ?? '';
  const parts = (steps.at(-1) ?? id).split('-');
  const words: string[] = [];
  for (const [index, part] of parts.entries()) {
    const isDecimal = SHORT_NUMBER.test(part) && SHORT_NUMBER.test(parts[index - 1] ?? '');
    if (isDecimal) words.push(`${words.pop() ?? ''}.${part}`);
    else if (!DATE.test(part)) words.push(part.charAt(0).toUpperCase() + part.slice(1));
  }
  const about = [...parts.filter((part) => DATE.test(part)), ...(host === vendor ? [] : [host])];
  return about.length === 0 ? words.join(' ') : `${words.join(' ')} (${about.join(', ')})`;
}
