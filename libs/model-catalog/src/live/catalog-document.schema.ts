import { priceSheet } from '@weir/contracts';
import { z } from 'zod';

/**
 * The whole of an installation's changes to the catalogue that ships with the gateway. What a row says is checked where rows
 * are read: those of models like the data files, those of providers by the library that calls them.
 */
export const catalogDocument = z.strictObject({
  /** Models of its own, and others in the place of known ones: rows as in `data/models`. */
  models: z
    .array(z.looseObject({ id: z.string().max(200) }))
    .max(20_000)
    .default([]),
  /** Ids of models that are not offered here. */
  removed: z.array(z.string().max(200)).max(20_000).default([]),
  /** Providers that speak chat completions, of its own and others in the place of known ones: rows as in `compatible-providers.json`. */
  providers: z
    .array(z.looseObject({ id: z.string().max(64) }))
    .max(1_000)
    .default([]),
});

export type CatalogDocument = z.output<typeof catalogDocument>;

/** What a price was, once and for all: by it events of that version are explained and priced again. */
const archivedSheet = z.strictObject({ model: z.string(), sheet: priceSheet });
export type ArchivedSheet = z.output<typeof archivedSheet>;

/** Which version of the catalogue: small, to be asked for often. The digest distinguishes versions whose numbers a restored database gave twice. */
export type CatalogMark = { readonly id: number; readonly digest: string };

/** A version of the catalogue as it is kept and as it travels between processes. */
export const catalogState = z.strictObject({
  id: z.int().min(1),
  digest: z.string(),
  document: catalogDocument,
  /** Every price that an installation's own models ever had. */
  sheets: z.array(archivedSheet),
});
export type CatalogState = z.output<typeof catalogState>;

export const EMPTY_DOCUMENT: CatalogDocument = { models: [], removed: [], providers: [] };
