import { z } from 'zod';
import { BUILT_IN_DETECTORS } from '../management/guardrails';
import { priceSheet } from './price-sheet';

// Edges and workers are not replaced in the same moment: fields are added only, and a worker ignores those it does not know. What
// it must not ignore is named in `needs` of the passport.

/** One place where a request may be sent, in order of preference, with the price that will be charged there. */
const attempt = z.object({
  modelId: z.string(),
  providerId: z.string(),
  /** The model's name at the provider. */
  upstreamModel: z.string(),
  region: z.string().nullable(),
  /** Which of the gateway's accounts at the provider; absent where it has only one, or the account is the organization's own. */
  accountId: z.string().optional(),
  prices: priceSheet,
  /** The caller's organization brought the provider's key. */
  isByok: z.boolean(),
  /** Every price is zero. */
  isFree: z.boolean(),
  /** The organization's account at the provider; absent for the gateway's own. */
  credentialId: z.string().optional(),
  /** As the organization named it; for what callers read. */
  credentialName: z.string().optional(),
  /** Why it is in the plan, and at this place; absent for a model that was named itself. */
  why: z.string().optional(),
  /** A stream has its first content so long after it was asked for, or has failed; see `policies.ts`. Absent: as its account says. */
  firstContentMs: z.int().min(1).optional(),
  /** The longest silence within its reply. Absent: as its account says. */
  idleMs: z.int().min(1).optional(),
  /** The organization's own account at the provider, sealed by the edge for the worker; absent for the gateway's account. */
  credential: z.string().optional(),
});
export type Attempt = z.infer<typeof attempt>;

/** What one attempt may use at most; an estimate of unreported usage stays within it. */
const attemptBounds = z.object({ promptTokens: z.int().min(0), outputTokens: z.int().min(0) });
export type AttemptBounds = z.infer<typeof attemptBounds>;

/** What is set aside for one request: the most that it can cost, and can use of every limit that binds it. */
const hold = z.object({
  id: z.string(),
  reservedPico: z.string(),
  scopes: z.array(z.string()),
  /**
   * What is held in each of the scopes, in the unit of its measure: pico-dollars, requests, tokens. Absent where it is
   * `reservedPico` in all of them. Named in `needs` of the passport (`limits`).
   */
  amounts: z.array(z.string()).optional(),
  /** Per attempt, the places of scopes that it is not counted in; absent where every attempt counts in all of them. */
  uncounted: z.array(z.array(z.int().min(0))).optional(),
  /** Per attempt of the passport. */
  bounds: z.array(attemptBounds),
  /** No attempt may be begun for the first time after this: the hold may have been given back. UTC epoch milliseconds. */
  beginByMs: z.int(),
  /** The counters were out of reach: they learn of this hold from the worker. */
  isLeased: z.boolean(),
});
export type PassportHold = z.infer<typeof hold>;

/** A guardrail as it holds for one request; what the members mean is in the management contracts. */
const passportGuardrail = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  detectors: z.array(
    z.union([
      z.enum(BUILT_IN_DETECTORS),
      z.object({ name: z.string(), pattern: z.string() }),
      z.object({ name: z.string(), words: z.array(z.string()) }),
    ]),
  ),
  action: z.enum(['flag', 'mask', 'block']),
  stage: z.enum(['input', 'output', 'both']),
  onError: z.enum(['open', 'closed']),
  scannerUrl: z.string().optional(),
});
export type PassportGuardrail = z.infer<typeof passportGuardrail>;

/** So long after it was sent a passport is taken: the way to a worker is short, even for large uploads. */
export const PASSPORT_TAKEN_WITHIN_MS = 120_000;

/** What ties a passport to the one request it was made for. */
const passportBinding = z.object({
  /** Of path and body, as `digestWork` makes it; absent when the edge does not know that of a file. */
  digest: z.string().optional(),
  /** A worker takes it before this, once. UTC epoch milliseconds. */
  takenByMs: z.int(),
});

/**
 * What the edge decided about one request: who calls, what for, and where it may go at which price.
 * Workers obey it and look nothing up. Only the edge's `admit-request` makes one.
 */
export const passport = z.object({
  version: z.literal(1),
  requestId: z.string(),
  endpointId: z.string(),
  /** UTC epoch milliseconds; decides the period in which the request counts. */
  admittedAtMs: z.int(),
  deadlineMs: z.int(),
  caller: z.object({
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
  /** None for what needs no model: files. */
  attempts: z.array(attempt).max(10),
  /** `X-Title` of the caller. */
  originTitle: z.string().nullable(),
  /** The end user the caller named, in any dialect's own field. */
  endUserId: z.string().nullable(),
  traceId: z.string().nullable(),
  /** `X-Weir-<Name>` headers and the body's `weir.extra`. */
  extra: z.record(z.string(), z.string()),
  /** The money set aside for this request in every scope, so that settling needs no look-up; null when nothing limits it. */
  hold: hold.nullable(),
  /** With a slot of the free-model day: it may be another request's after this, so nothing is begun. UTC epoch milliseconds. */
  freePlaceByMs: z.int().optional(),
  /** Attempts that failed after their provider reported usage are charged too. */
  chargesFailures: z.boolean().optional(),
  /** `x-weir-strict: true`: any loss in translation is refused. */
  isStrict: z.boolean(),
  /** Models that search the web and that the caller may use, for the refusal of one that does not. */
  searchModels: z.array(z.string()).optional(),
  /** What a worker must understand to serve this request; one that does not know all of these words refuses it. */
  needs: z.array(z.string()).max(20).optional(),
  /** Nothing of the request's content outlives the request: no stored result, no recorded answer. Absent means false. */
  isZeroRetention: z.boolean().optional(),
  /** Cache breakpoints of this lifetime are placed where the provider profits from them. Absent means nowhere. */
  autoCache: z.enum(['5m', '1h']).optional(),
  /** What is looked for in the request and its answer, in order of creation; absent: nothing. Named in `needs`. */
  guardrails: z.array(passportGuardrail).optional(),
  /** In which class the request waits where a provider is the bottleneck. Absent means normal. */
  priority: z.enum(['low', 'normal', 'high']).optional(),
  /** By which weights it takes turns with requests of others then. Absent means 1 each. */
  shares: z.object({ organization: z.int().min(1).max(100), key: z.int().min(1).max(100) }).optional(),
  /** Absent from edges of earlier versions, and where there is no way between processes. */
  binding: passportBinding.optional(),
});
export type Passport = z.infer<typeof passport>;

/** Words for what workers of this version understand beyond the fields that every version does. */
const UNDERSTOOD: ReadonlySet<string> = new Set(['guardrails', 'limits']);

/** False where a passport, or its terms, needs what this version does not know: the request is refused then. */
export function understands({ needs = [] }: Pick<Passport, 'needs'>): boolean {
  return needs.every((word) => UNDERSTOOD.has(word));
}

/** What the passports of many requests have in common, with the scopes of their holds; see `writeTerms`. */
export const passportTerms = passport
  .omit({ requestId: true, admittedAtMs: true, deadlineMs: true, originTitle: true, endUserId: true, traceId: true, extra: true })
  .omit({ hold: true, freePlaceByMs: true, binding: true })
  .extend({ scopes: hold.shape.scopes.optional() });

/** What a short passport says of its request beside ids and times. Absent: nothing. */
export const shortPassportDetails = z.object({
  originTitle: z.string().optional(),
  endUserId: z.string().optional(),
  traceId: z.string().optional(),
  extra: passport.shape.extra.optional(),
  freePlaceByMs: passport.shape.freePlaceByMs,
  /** Its id is that of the request, where it has none. */
  hold: hold.omit({ scopes: true }).partial({ id: true }).optional(),
});
