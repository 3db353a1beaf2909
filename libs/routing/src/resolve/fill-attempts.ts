import type { Attempt } from '@weir/contracts';
import type { Step } from './expand-policy';

/** The most attempts of a passport. */
const ATTEMPTS_MAX = 10;

const WHY_LENGTH_MAX = 200;

/** Steps as attempts: each place once, and retries up to the most attempts, those of the first places first. */
export function fillAttempts(steps: readonly [Step, ...Step[]]): [Attempt, ...Attempt[]] {
  const kept = steps.slice(0, ATTEMPTS_MAX);
  let free = ATTEMPTS_MAX - kept.length;
  const attempts = kept.flatMap(({ place, retries, why }) => {
    const again = Math.min(retries, free);
    free -= again;
    const first = { ...place.attempt, why: why.slice(0, WHY_LENGTH_MAX) };
    return [first, ...Array.from({ length: again }, (_, index) => ({ ...place.attempt, why: `retry ${index + 1}` }))];
  });
  return attempts as [Attempt, ...Attempt[]];
}
