import { formatUsd } from '@weir/pricing';
import { periodCeiling, periodKey, periodStart } from '../period-key';
import { countInputTokens } from './usage-csv-columns';
import { encodeInstant, encodeMap, encodeStatus, type UsageColumn, type UsageLine } from './usage-line';

const ISSUER = 'Weir';

/** Null, which a CSV file says with nothing. */
const none = (): string => '';
const always = (text: string) => (): string => text;
const billed = (line: UsageLine): string => formatUsd(line.billedPico);

/**
 * Columns of the cost-and-usage dataset in their alphabetical order. Groups can be renamed, which must not change a file:
 * they are called by their id. Unit prices and what goes with them may be left out, and may not be null where they are not.
 */
const STANDARD: readonly UsageColumn[] = [
  { name: 'BilledCost', kind: 'money', value: billed },
  { name: 'BillingAccountId', value: (_line, file) => file.organizationId },
  { name: 'BillingAccountName', value: (_line, file) => file.organizationName },
  { name: 'BillingAccountType', value: always('Organization') },
  { name: 'BillingCurrency', value: always('USD') },
  { name: 'BillingPeriodEnd', kind: 'time', value: (line) => periodKey(periodCeiling('month', line.periodStartMs + 1)) },
  { name: 'BillingPeriodStart', kind: 'time', value: (line) => periodKey(periodStart('month', line.periodStartMs)) },
  { name: 'ChargeCategory', value: always('Usage') },
  { name: 'ChargeClass', value: none },
  { name: 'ChargeDescription', value: (line) => `${line.endpoint} with ${line.modelUsed}` },
  { name: 'ChargeFrequency', value: always('Usage-Based') },
  { name: 'ChargePeriodEnd', kind: 'time', value: (line) => periodKey(line.periodEndMs) },
  { name: 'ChargePeriodStart', kind: 'time', value: (line) => periodKey(line.periodStartMs) },
  { name: 'ConsumedQuantity', kind: 'count', value: (line) => line.requests },
  { name: 'ConsumedUnit', value: always('Requests') },
  { name: 'ContractedCost', kind: 'money', value: billed },
  { name: 'EffectiveCost', kind: 'money', value: billed },
  { name: 'InvoiceId', value: none },
  { name: 'InvoiceIssuerName', value: always(ISSUER) },
  { name: 'ListCost', kind: 'money', value: (line) => formatUsd(line.costPico) },
  { name: 'PricingCategory', value: always('Standard') },
  { name: 'PricingCurrency', value: always('USD') },
  { name: 'PricingQuantity', kind: 'count', value: (line) => line.requests },
  { name: 'PricingUnit', value: always('Requests') },
  { name: 'ProviderName', value: always(ISSUER) },
  { name: 'PublisherName', value: (line) => line.providerUsed },
  { name: 'RegionId', value: none },
  { name: 'RegionName', value: none },
  { name: 'ResourceId', value: (line) => line.apiKeyId },
  { name: 'ResourceName', value: (line) => line.apiKeyName ?? '' },
  { name: 'ResourceType', value: always('API key') },
  { name: 'ServiceCategory', value: always('AI and Machine Learning') },
  { name: 'ServiceName', value: (line) => line.endpoint },
  { name: 'ServiceSubcategory', value: always('Generative AI') },
  { name: 'SkuId', value: (line) => line.modelUsed },
  { name: 'SkuMeter', value: (line) => line.modality },
  { name: 'SubAccountId', value: (line) => line.groupId ?? '' },
  { name: 'SubAccountName', value: (line) => line.groupId ?? '' },
  { name: 'SubAccountType', value: (line) => (line.groupId === null ? '' : 'Group') },
  { name: 'Tags', value: encodeTags },
];

/** What the dataset has no column for; its rule for such columns is the prefix. */
const CUSTOM: readonly UsageColumn[] = [
  { name: 'x_Attempts', kind: 'count', value: (line) => line.attempts },
  { name: 'x_AudioMilliseconds', kind: 'count', value: (line) => line.audioMs },
  { name: 'x_CachedTokens', kind: 'count', value: (line) => line.cachedTokens },
  { name: 'x_CacheWriteTokens', kind: 'count', value: (line) => line.cacheWriteTokens },
  { name: 'x_Characters', kind: 'count', value: (line) => line.chars },
  { name: 'x_EndUserId', value: (line) => line.endUserId ?? '' },
  { name: 'x_Images', kind: 'count', value: (line) => line.images },
  { name: 'x_InputTokens', kind: 'count', value: countInputTokens },
  { name: 'x_IsByok', kind: 'flag', value: (line) => String(line.isByok) },
  { name: 'x_MemberId', value: (line) => line.memberId ?? '' },
  { name: 'x_ModelRequested', value: (line) => line.modelRequested },
  { name: 'x_OriginTitle', value: (line) => line.originTitle ?? '' },
  { name: 'x_OutputTokens', kind: 'count', value: (line) => line.outputTokens },
  { name: 'x_PeriodStatus', value: (_line, file) => encodeStatus(file) },
  { name: 'x_ReasoningTokens', kind: 'count', value: (line) => line.reasoningTokens },
  { name: 'x_Searches', kind: 'count', value: (line) => line.searches },
  { name: 'x_UsageAsOf', kind: 'time', value: (_line, file) => encodeInstant(file.asOfMs) },
  { name: 'x_UsageRevision', kind: 'count', value: (_line, file) => file.revision },
];

/** FOCUS 1.2, the FinOps Open Cost and Usage Specification: one row a charge period and series, priced by many meters at once. */
export const FOCUS_COLUMNS: readonly UsageColumn[] = [...STANDARD, ...CUSTOM];

function encodeTags({ apiKeyLabels, groupLabels, extra }: UsageLine): string {
  const prefixed = (prefix: string, map: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(map).map(([name, value]) => [`${prefix}.${name}`, value]);
  return encodeMap(
    Object.fromEntries([...prefixed('api_key_label', apiKeyLabels), ...prefixed('extra', extra), ...prefixed('group_label', groupLabels)]),
  );
}
