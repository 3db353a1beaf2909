import { listChoosing } from '../members/member-rules';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

const COMMON = listChoosing('chat-completions').get('service_tier')?.unless ?? [];

/** The service tiers that a provider may be asked for: those that mean the ordinary one, and those whose price is known to be another. */
export function listTiers({ pricedTiers, ordinaryTiers }: Pick<CompatibleProvider, 'pricedTiers' | 'ordinaryTiers'>): (string | boolean)[] {
  return [...COMMON, ...pricedTiers, ...ordinaryTiers];
}
