import { pageParameters, searchedPageParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { z } from 'zod';
import { parseBody } from '../bodies/parse-body';

/** Which rows of a list are wanted: those after one, at most so many; without a limit all of them. */
export type PagePlan = { readonly limit: number | undefined; readonly after: { readonly at: Date; readonly id: string } | undefined };

export type SearchedPagePlan = PagePlan & { readonly search: string | undefined };

/** All rows, in one go. */
export const EVERYTHING: SearchedPagePlan = { limit: undefined, after: undefined, search: undefined };

type Place = { readonly createdAt: Date; readonly id: string };

const LIMIT = 100;
/** Times of up to fourteen digits: what comes after the year 5138 is in no list. */
const CURSOR = /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Reads `limit` and `cursor`; unknown parameters are refused by name. */
export function planPage(query: Readonly<Record<string, unknown>>): PagePlan {
  return readPagePlan(parseBody(pageParameters, query));
}

/** The same of a list that can be searched; `search` is what a name has to contain. */
export function planSearchedPage(query: Readonly<Record<string, unknown>>): SearchedPagePlan {
  return readSearchedPagePlan(parseBody(searchedPageParameters, query));
}

/** The same of parameters that were read already. */
export function readSearchedPagePlan({ search, ...page }: z.output<typeof searchedPageParameters>): SearchedPagePlan {
  return { ...readPagePlan(page), search };
}

/** Of a text column: contains this, in whatever case. `%` and `_` mean themselves. */
export function containing(search: string): { readonly contains: string; readonly mode: 'insensitive' } {
  return { contains: escapeLike(search), mode: 'insensitive' };
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The same of parameters that were read already. */
export function readPagePlan({ limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined }): PagePlan {
  if (cursor === undefined) return { limit, after: undefined };
  const found = CURSOR.exec(Buffer.from(cursor, 'base64url').toString());
  if (found === null) {
    throw new GatewayError('invalid_request', '`cursor` must be the `next` of the page before.', { field: 'cursor' });
  }
  return { limit: limit ?? LIMIT, after: { at: new Date(Number(found[1])), id: found[2] as string } };
}

/** The part of a query that all lists share: oldest first, the id deciding between rows of the same moment. */
export function selectPage<Key extends 'id' | 'userId'>({ limit, after }: PagePlan, key: Key) {
  type ById<Value> = Readonly<Record<Key, Value>>;
  const place = after && [
    { createdAt: { gt: after.at } },
    { createdAt: after.at, ...({ [key]: { gt: after.id } } as ById<{ gt: string }>) },
  ];
  return {
    where: place === undefined ? {} : { OR: place },
    orderBy: [{ createdAt: 'asc' as const }, { [key]: 'asc' } as ById<'asc'>],
    // One more row than asked for shows whether there are any after the page.
    ...(limit === undefined ? {} : { take: limit + 1 }),
  };
}

/** The rows of the page, and `next` when a page was asked for. */
export function cutPage<Row>(
  rows: readonly Row[],
  { limit }: PagePlan,
  placeOf: (row: Row) => Place,
): { rows: readonly Row[]; more: { next?: string | null } } {
  if (limit === undefined) return { rows, more: {} };
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, more: { next: rows.length > limit && last !== undefined ? encodeCursor(placeOf(last)) : null } };
}

function encodeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}
