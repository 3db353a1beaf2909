import type { Usage } from '@weir/canonical';

/** Tiers that vendors charge more or less for than for the ordinary one, which is the only one whose price is known. */
export const PRICED_TIERS: readonly string[] = ['flex', 'priority', 'fast', 'ultrafast'];

/** The usage of a reply that one of these tiers gave: what it costs at the ordinary price is no more than an estimate. */
export function withTier(usage: Usage | null, tier: unknown, priced: readonly string[] = PRICED_TIERS): Usage | null {
  return usage !== null && priced.includes(tier as string) ? { ...usage, source: 'estimate' } : usage;
}
