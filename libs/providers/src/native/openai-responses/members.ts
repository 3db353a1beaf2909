import { planMemberRules } from '../../members/member-rules';
import { PRICED_TIERS } from '../../wire/with-tier';

/** The vendor serves the model that is named, and a reply reports its tier and its tools. */
export const MEMBERS = planMemberRules('responses', {
  unknown: 'passed',
  choosing: { service_tier: { chooses: 'tier', use: 'dropped', unless: ['auto', 'default', 'scale', ...PRICED_TIERS] } },
});
