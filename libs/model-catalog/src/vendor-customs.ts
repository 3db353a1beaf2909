import { z } from 'zod';

const vendorCustoms = z.strictObject({
  /** A vendor that serves its chat models by two interfaces, which are two providers here. `except` names parts of ids that have no twin. */
  twins: z.array(z.strictObject({ provider: z.string(), twin: z.string(), except: z.array(z.string().min(1)) })),
  /** What clients of a vendor write behind a model's name, and the preview feature that they ask for in this way. */
  nameSuffixes: z.array(z.strictObject({ suffix: z.string().min(1).lowercase(), vendor: z.string(), beta: z.string().min(1) })),
});

// Called under another name, as for the models, so that the compiler does not work out its type.
const readJson = require as (path: string) => unknown;

export const VENDOR_CUSTOMS = vendorCustoms.parse(readJson('../data/vendor-customs.json'));

export type NameSuffix = (typeof VENDOR_CUSTOMS)['nameSuffixes'][number];
