import { z } from 'zod';

const named = { name: z.string() };

/**
 * The shapes in which lists of models are published. `ids`: which models there are, and no more; `priced-list`: a list with
 * prices for each token as texts; `price-map`: prices of many providers by the names of models; `rows`: rows as in `data/models`.
 */
const listFormat = z.discriminatedUnion('shape', [
  z.strictObject({
    ...named,
    shape: z.literal('ids'),
    provider: z.string(),
    /** The header of the key; absent: `authorization`. */
    keyHeader: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ ...named, shape: z.literal('priced-list'), provider: z.string() }),
  /** `providers`: what the map calls them, and their ids here. */
  z.strictObject({ ...named, shape: z.literal('price-map'), providers: z.record(z.string(), z.string()) }),
  z.strictObject({ ...named, shape: z.literal('rows') }),
]);

// Called under another name, as for the models, so that the compiler does not work out its type.
const readJson = require as (path: string) => unknown;

export const LIST_FORMATS = z.array(listFormat).parse(readJson('../../data/list-formats.json'));

export type ListFormat = (typeof LIST_FORMATS)[number];
