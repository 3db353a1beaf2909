import type { AdmittedAttempt } from '@weir/database';
import { isConcurrent, measureOfScope, spentInScope } from '@weir/limits';

/** What a request used in a scope, over those of its attempts that count there; `counted` null: all of them. */
export function spendOfRequest(scope: string, attempts: readonly AdmittedAttempt[], counted: readonly boolean[] | null): bigint {
  if (isConcurrent(measureOfScope(scope))) return 1n;
  return attempts.reduce((sum, attempt, index) => (counted?.[index] === false ? sum : sum + spentInScope(scope, spendOf(attempt))), 0n);
}

function spendOf({ costPico, billedPico, isLogical, units }: AdmittedAttempt): Parameters<typeof spentInScope>[1] {
  return {
    costPico: BigInt(costPico),
    billedPico: BigInt(billedPico),
    requests: isLogical ? 1 : 0,
    inputTokens: units.in + units.cached_in + units.cache_w5m + units.cache_w1h,
    outputTokens: units.out,
  };
}
