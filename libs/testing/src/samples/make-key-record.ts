import type { KeyRecord } from '@weir/access';

/** A key that may ask for whatever its organization, which forbids nothing, is asked for. */
export function makeKeyRecord(changes: Partial<KeyRecord> = {}, settings: Partial<KeyRecord['organization']> = {}): KeyRecord {
  return {
    apiKeyId: 'key',
    organizationId: 'org',
    name: 'test',
    userId: null,
    isAdministrator: true,
    groupId: null,
    status: 'active',
    expiresAtMs: null,
    permissions: { manage: 'none', completions: 'write' },
    monthlyLimitPico: null,
    memberRateLimitRpm: null,
    groupLimits: null,
    apiKeyLabelSetId: null,
    groupLabelSetId: null,
    keyAccessList: null,
    groupAccessList: null,
    organization: {
      budgetMode: 'global',
      dataResidency: null,
      isZeroDataRetention: false,
      isTrainingAllowed: true,
      tier: 'paying',
      limitsUnavailable: 'lease',
      isClampedToLimit: false,
      creditPico: null,
      approvedModels: null,
      ...settings,
    },
    ...changes,
  };
}
