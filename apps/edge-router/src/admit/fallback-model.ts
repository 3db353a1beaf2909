import type { Attempt } from '@weir/contracts';
import { GatewayError, toGatewayError } from '@weir/errors';
import type { PlannedRule } from '@weir/limits';
import { LimitRefusal } from './holds/limit-refusal';

/** A full limit that names a model for requests that do not fit it. */
export type Fallback = { readonly model: string; readonly rule: PlannedRule; readonly refusal: LimitRefusal };

export function findFallback(refusal: unknown): Fallback | undefined {
  if (!(refusal instanceof LimitRefusal)) return undefined;
  const { rule } = refusal.refused.limit;
  if (rule?.action !== 'fallback' || rule.fallbackModel === null) return undefined;
  return { model: rule.fallbackModel, rule, refusal };
}

/** Every attempt at the other model says why it is made. */
export function explainFallback(attempts: readonly Attempt[], { rule, model }: Fallback): Attempt[] {
  const why = `limit "${rule.name}" is full: falls back to "${model}"`;
  return attempts.map((attempt) => ({ ...attempt, why: attempt.why === undefined ? why : `${why}; ${attempt.why}` }));
}

/** The refusal of a request that the other model cannot take either. What is no refusal is a fault, and stays one. */
export function refuseFallback({ model, refusal }: Fallback, thrown: unknown): GatewayError {
  if (!(thrown instanceof GatewayError)) return toGatewayError(thrown);
  const message = `${refusal.message} Its fallback model "${model}" cannot take the request either: ${thrown.message}`;
  const { limit, retryAfterSeconds } = refusal.details;
  if (limit === undefined) return refusal;
  return new LimitRefusal(
    refusal.code,
    message,
    { limit, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
    refusal.refused,
  );
}
