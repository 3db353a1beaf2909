import { z } from 'zod';
import { MODALITIES } from '../models/modality';

const id = z.string().min(1).max(300);
const names = z.array(z.string().max(200)).max(20);
const ways = z.array(names).max(20);
const count = z.number().int().min(0);

/** A provider's region under one account; `account` is an organization's own (the id of its credential), null the operator's. */
const place = {
  provider: id,
  region: id.nullable(),
  account: id.nullable(),
  /** Which of the operator's accounts; absent where there is only one. */
  accountId: id.optional(),
};

/**
 * What a process that calls providers knows of them, for people to look at. Written anew every few seconds and forgotten soon
 * after: nothing is decided by it. A reader of another version leaves out what it does not know.
 */
export const processReport = z.object({
  /** UTC epoch milliseconds of the process that reports. */
  atMs: z.number().min(0),
  providers: z
    .array(
      z.object({
        id,
        name: z.string().max(300),
        isSetUp: z.boolean(),
        /** Each row is one way to set it up: all settings of the row, by name. */
        needs: ways,
        /** Fields of an organization's own account: each row is one way, of which all are needed. Empty: none is taken. */
        keyWays: ways,
        keyOptional: names,
        /** What it serves here; not known of one that is not set up, nor from earlier versions. */
        modalities: z.array(z.enum(MODALITIES)).optional(),
        /** The operator's accounts, where there are several or one that is more than a key. */
        accounts: z
          .array(z.object({ id, weight: z.number().min(0), region: id.nullable() }))
          .max(1_000)
          .optional(),
      }),
    )
    .max(1_000),
  /** Left out of routing at that moment, and for how long still; 0: until a probe has succeeded. */
  ejected: z.array(z.object({ ...place, forMs: z.number().min(0) })).max(2_000),
  /** What became of the attempts of the last minutes. */
  outcomes: z.array(z.object({ ...place, model: id, attempts: count, failures: count })).max(4_000),
  /** Mean times until the first byte. `samples` weighs older ones less. */
  latencies: z
    .array(
      z.object({
        provider: id,
        region: id.nullable(),
        model: id,
        isStream: z.boolean(),
        meanMs: z.number().min(0),
        samples: z.number().min(0),
      }),
    )
    .max(4_000),
});
export type ProcessReport = z.infer<typeof processReport>;
