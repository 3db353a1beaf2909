import type { UsageEvent } from '@weir/contracts';
import { measureOfScope } from './limit-scope';
import { BALANCE_SCOPE } from './scope-name';

/** What attempts used, as far as limits count it. */
export type AttemptSpend = {
  /** What usage is worth; months and limits count it. */
  readonly costPico: bigint;
  /** What is paid for it; the balance counts it. */
  readonly billedPico: bigint;
  /** 1 for the attempt that counts its request. */
  readonly requests: number;
  /** Caches included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** What of it counts in a scope, in the unit of the scope's measure. */
export function spentInScope(scope: string, spend: AttemptSpend): bigint {
  if (scope === BALANCE_SCOPE) return spend.billedPico;
  switch (measureOfScope(scope)) {
    case 'usd':
      return spend.costPico;
    case 'requests':
      return BigInt(spend.requests);
    case 'input_tokens':
      return BigInt(spend.inputTokens);
    case 'output_tokens':
      return BigInt(spend.outputTokens);
    case 'tokens':
      return BigInt(spend.inputTokens + spend.outputTokens);
    case 'concurrent_requests':
    case 'concurrent_streams':
      return 0n;
  }
}

const COUNTED_IN_ALL: readonly number[] = [];

/** What of it counts in each of a hold's scopes; `uncounted` are the places of those that it is not counted in. */
export function spentInScopes(scopes: readonly string[], spend: AttemptSpend, uncounted = COUNTED_IN_ALL): bigint[] {
  return scopes.map((scope, at) => (uncounted.includes(at) ? 0n : spentInScope(scope, spend)));
}

/** The same of a usage event. */
export function spendOfEvent({ cost_p, billed_p, logical, units }: SpentEvent): AttemptSpend {
  return {
    costPico: BigInt(cost_p),
    billedPico: BigInt(billed_p),
    requests: logical ? 1 : 0,
    inputTokens: units.in + units.cached_in + units.cache_w5m + units.cache_w1h,
    outputTokens: units.out,
  };
}

type SpentEvent = Pick<UsageEvent, 'cost_p' | 'billed_p' | 'logical' | 'units'>;
