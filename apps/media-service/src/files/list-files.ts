import type { BlobRecord } from '@weir/blob-store';
import { encodeFileObject } from './encode-file-object';
import { refuse } from './read-file-form';

const LIMIT_MAX = 10_000;
const KNOWN = new Set(['purpose', 'limit', 'order', 'after']);

/** One page of an organization's files, which come newest first. Throws `invalid_request` naming the parameter at fault. */
export function listFiles(records: readonly BlobRecord[], query: URLSearchParams): object {
  for (const name of query.keys()) if (!KNOWN.has(name)) throw refuse(name.slice(0, 64), 'is not a parameter of this endpoint');
  const purpose = query.get('purpose');
  const limit = readLimit(query.get('limit'));
  const wanted = records.filter((record) => purpose === null || record.purpose === purpose);
  const ordered = isOldestFirst(query.get('order')) ? wanted.reverse() : wanted;
  const start = findStart(ordered, query.get('after'));
  const page = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data: page.map(encodeFileObject),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  };
}

function isOldestFirst(order: string | null): boolean {
  if (order !== null && order !== 'desc' && order !== 'asc') throw refuse('order', 'must be asc or desc');
  return order === 'asc';
}

function findStart(records: readonly BlobRecord[], after: string | null): number {
  if (after === null) return 0;
  const index = records.findIndex(({ id }) => id === after);
  if (index === -1) throw refuse('after', 'must be the id of a file of this list');
  return index + 1;
}

function readLimit(text: string | null): number {
  if (text === null) return LIMIT_MAX;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw refuse('limit', `must be a whole number from 1 to ${LIMIT_MAX}`);
  return limit;
}
