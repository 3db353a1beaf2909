import type { RequestLine } from './merge-lines';

type Page = { readonly generations: readonly RequestLine[]; readonly next_cursor: string | null };

/** Of a file: what is more than that is for the files of a month. */
const ROWS_MAX = 10_000;
/** Of a page the interface looks at so many events; a rare value needs many pages for few rows. */
const PAGES_MAX = 200;

/** The list as a file has it, from its newest row on: all of it, or as much as a browser should ask for at once. */
export async function readAllRequests(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<{ readonly rows: readonly RequestLine[]; readonly isWhole: boolean }> {
  const rows: RequestLine[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && rows.length < ROWS_MAX; pages += 1) {
    const { generations, next_cursor: next } = await read(cursor);
    rows.push(...generations);
    if (next === null) return { rows, isWhole: true };
    cursor = next;
  }
  return { rows, isWhole: false };
}
