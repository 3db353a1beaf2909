import type { ConfigurationKind } from '@weir/configuration';
import { alertSteps } from './alert-steps';
import type { KindSteps } from './carry-out';
import { credentialSteps } from './credential-steps';
import { keySteps } from './key-steps';
import { groupMemberSteps, groupSteps, memberSteps } from './people-steps';
import { accessListSteps, aliasSteps, guardrailSteps, limitSteps, policySteps } from './rule-steps';
import { settingSteps } from './setting-steps';

/** How every kind is made, changed and taken away. */
export const STEPS: Readonly<Record<ConfigurationKind, KindSteps>> = {
  setting: settingSteps,
  member: memberSteps,
  policy: policySteps,
  alias: aliasSteps,
  access_list: accessListSteps,
  group: groupSteps,
  group_member: groupMemberSteps,
  key: keySteps,
  guardrail: guardrailSteps,
  limit: limitSteps,
  alert: alertSteps,
  provider_credential: credentialSteps,
};
