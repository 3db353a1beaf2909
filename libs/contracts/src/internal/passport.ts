import { z } from 'zod';
import { priceSheet } from './price-sheet';

/** One place where a request may be sent, in order of preference, with the price that will be charged there. */
export const attempt = z.strictObject({
  modelId: z.string(),
  providerId: z.string(),
  /** The model's name at the provider. */
  upstreamModel: z.string(),
  region: z.string().nullable(),
  prices: priceSheet,
  /** The caller's organization brought the provider's key. */
  isByok: z.boolean(),
  /** Every price is zero. */
  isFree: z.boolean(),
});
export type Attempt = z.infer<typeof attempt>;

/** What one attempt may use at most; an estimate of what nobody told stays within it. */
export const attemptBounds = z.strictObject({ promptTokens: z.int().min(0), outputTokens: z.int().min(0) });
export type AttemptBounds = z.infer<typeof attemptBounds>;

/** Money set aside for one request: the most that it can cost. */
export const hold = z.strictObject({
  id: z.string(),
  reservedPico: z.string(),
  scopes: z.array(z.string()),
  /** Per attempt of the passport. */
  bounds: z.array(attemptBounds),
  /** No attempt may be begun for the first time after this: the hold may have been given back. UTC epoch milliseconds. */
  beginByMs: z.int(),
  /** The counters were out of reach: they learn of this hold from the worker. */
  isLeased: z.boolean(),
});
export type PassportHold = z.infer<typeof hold>;

/**
 * What the edge decided about one request: who calls, what for, and where it may go at which price.
 * Workers obey it and look nothing up. Only the edge's `admit-request` makes one.
 */
export const passport = z.strictObject({
  version: z.literal(1),
  requestId: z.string(),
  endpointId: z.string(),
  /** UTC epoch milliseconds; decides the period in which the request counts. */
  admittedAtMs: z.int(),
  deadlineMs: z.int(),
  caller: z.strictObject({
    organizationId: z.string(),
    apiKeyId: z.string(),
    userId: z.string().nullable(),
    groupId: z.string().nullable(),
    /** Label sets as of admission. */
    apiKeyLabelSetId: z.string().nullable(),
    groupLabelSetId: z.string().nullable(),
  }),
  modelRequested: z.string(),
  stream: z.boolean(),
  attempts: z.array(attempt).min(1).max(10),
  /** `X-Title` of the caller. */
  originTitle: z.string().nullable(),
  /** The end user the caller named, in any dialect's own field. */
  endUserId: z.string().nullable(),
  traceId: z.string().nullable(),
  /** `X-Weir-<Name>` headers and the body's `weir.extra`. */
  extra: z.record(z.string(), z.string()),
  /** The money set aside for this request in every scope, so that settling needs no look-up; null when nothing limits it. */
  hold: hold.nullable(),
  /** `x-weir-strict: true`: any loss in translation is refused. */
  isStrict: z.boolean(),
});
export type Passport = z.infer<typeof passport>;
