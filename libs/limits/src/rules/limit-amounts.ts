import type { AttemptMost, BoundedRequest } from '../estimate/bound-request';
import type { PlannedLimit } from './planned-limit';

/** What a request uses of a limit at most, in the unit of its measure. Attempts that the limit does not count add nothing. */
export function amountFor({ rule }: PlannedLimit, bounded: BoundedRequest): bigint {
  if (rule === undefined) return bounded.worstPico;
  switch (rule.measure) {
    case 'usd':
      return rule.counted === null ? bounded.worstPico : most(rule.counted, bounded, worstPico);
    case 'requests':
    case 'concurrent_requests':
    case 'concurrent_streams':
      return 1n;
    case 'input_tokens':
      return most(rule.counted, bounded, inputTokens);
    case 'output_tokens':
      return most(rule.counted, bounded, outputTokens);
    case 'tokens':
      return most(rule.counted, bounded, allTokens);
  }
}

/** The same for the shortest reply that is of use. */
export function leastFor(limit: PlannedLimit, bounded: BoundedRequest): bigint {
  const { rule } = limit;
  if (rule === undefined) return bounded.leastPico;
  switch (rule.measure) {
    case 'usd':
      return rule.counted === null ? bounded.leastPico : most(rule.counted, bounded, leastPico);
    case 'output_tokens':
      return most(rule.counted, bounded, leastOutputTokens);
    case 'tokens':
      return most(rule.counted, bounded, leastTokens);
    default:
      return amountFor(limit, bounded);
  }
}

type Of = (attempt: AttemptMost) => bigint;

const worstPico: Of = (attempt) => attempt.worstPico;
const leastPico: Of = (attempt) => attempt.leastPico;
const inputTokens: Of = (attempt) => BigInt(attempt.inputTokens);
const outputTokens: Of = (attempt) => BigInt(attempt.outputTokens);
const leastOutputTokens: Of = (attempt) => BigInt(attempt.leastOutputTokens);
const allTokens: Of = (attempt) => BigInt(attempt.inputTokens + attempt.outputTokens);
const leastTokens: Of = (attempt) => BigInt(attempt.inputTokens + attempt.leastOutputTokens);

/** Of the attempts that count the largest, or their sum where failed ones are charged too. */
function most(counted: readonly boolean[] | null, { attempts, isSum }: BoundedRequest, of: Of): bigint {
  let result = 0n;
  for (let index = 0; index < attempts.length; index += 1) {
    if (counted !== null && counted[index] !== true) continue;
    const amount = of(attempts[index] as AttemptMost);
    if (isSum) result += amount;
    else if (amount > result) result = amount;
  }
  return result;
}
