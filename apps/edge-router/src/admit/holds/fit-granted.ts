import { CLAMPED_TOKENS_MIN, type BoundedRequest, type PlannedLimit, type ReserveRequest } from '@weir/limits';

type Granting = Pick<ReserveRequest, 'amounts'> & { readonly limits: readonly PlannedLimit[] };

/** How many tokens a choice may have so that no limit is overspent that granted less than was asked for. */
export function fitGranted({ limits, amounts }: Granting, granted: readonly bigint[], bounded: BoundedRequest): number {
  let tokens = bounded.outputTokens;
  for (let place = 0; place < limits.length; place += 1) {
    const amount = granted[place] ?? 0n;
    if (amount < (amounts[place] ?? 0n)) tokens = Math.min(tokens, fitLimit(limits[place] as PlannedLimit, amount, bounded));
  }
  // What the least was granted for.
  return Math.min(bounded.outputTokens, Math.max(CLAMPED_TOKENS_MIN, tokens));
}

function fitLimit({ rule }: PlannedLimit, amount: bigint, bounded: BoundedRequest): number {
  // Attempts that a limit does not count are shortened with those that it counts.
  if (rule === undefined || rule.measure === 'usd') return bounded.fitOutput(amount);
  if (rule.measure !== 'tokens' && rule.measure !== 'output_tokens') return Infinity;
  const without = bounded.boundsAt(0);
  let tokens = Infinity;
  for (const [attempt, { promptTokens, outputTokens }] of without.entries()) {
    if (rule.counted?.[attempt] === false) continue;
    // What is written beside the choices stays as it is.
    const fixed = outputTokens + (rule.measure === 'tokens' ? promptTokens : 0);
    tokens = Math.min(tokens, Math.floor((Number(amount) - fixed) / bounded.choices));
  }
  return tokens;
}
