import type { ReasoningEffort } from '@weir/canonical';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

const ORDER: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The effort a provider takes that is nearest to one that was asked for; of two the higher, and none only for none. */
export function nearestEffort(effort: ReasoningEffort, { efforts }: Pick<CompatibleProvider, 'efforts'>): ReasoningEffort {
  if (efforts.length === 0 || efforts.includes(effort)) return effort;
  const others = efforts.filter((known) => known !== 'none');
  const distance = (known: ReasoningEffort): number => Math.abs(ORDER.indexOf(known) - ORDER.indexOf(effort) - 0.1);
  return [...others].sort((one, other) => distance(one) - distance(other))[0] ?? effort;
}

export function isEffort(word: unknown): word is ReasoningEffort {
  return ORDER.includes(word as ReasoningEffort);
}
