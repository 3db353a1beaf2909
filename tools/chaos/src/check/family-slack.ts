import type { UsageEvent } from '@weir/contracts';

/** The simulated provider counts words; an estimate counts as the model's family does, which for some makes up to an eighth more. */
const FAMILY_FACTOR = 1 / 8;
const SIGNS_AROUND_REPLY = 3;

/** By how many tokens the output of an event may exceed what was made because nothing reported it. */
export function familySlack({ unit_source: source }: Pick<UsageEvent, 'unit_source'>, made: number): number {
  return source === 'estimate' ? Math.ceil(made * FAMILY_FACTOR) + SIGNS_AROUND_REPLY : 0;
}
