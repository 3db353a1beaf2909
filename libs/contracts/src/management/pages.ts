import { z } from 'zod';

/**
 * Query of every list that can grow. Without parameters the whole list is answered, as it always was; with `limit` (or
 * `cursor`, then 100 at a time) one page and `next`, the `cursor` of the following page, null on the last.
 */
export const pageParameters = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  /** What the page before answered as `next`. */
  cursor: z.string().min(1).max(200).optional(),
});

/** Part of a text, in whatever case; every character means itself. */
export const searchText = z.string().trim().min(1).max(200);

/** Query of lists that can be searched by name. */
export const searchedPageParameters = pageParameters.extend({ search: searchText.optional() });
