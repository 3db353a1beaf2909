import type { AutoTopUpState, CreditState, KeyRecord, OrganizationFinance } from '@weir/access';
import { formatUsd } from '@weir/pricing';

/** `GET /v1/organization`: what every member may see. */
export function describeOrganization(key: KeyRecord, more: { name: string | null; defaultChatModel: string }): object {
  const { organization, organizationId } = key;
  return {
    organization: {
      id: organizationId,
      name: more.name,
      tier: organization.tier,
      budget_mode: organization.budgetMode,
      data_residency: organization.dataResidency,
      zero_data_retention: organization.isZeroDataRetention,
      data_used_for_training: organization.isTrainingAllowed,
      approved_models: organization.approvedModels,
      default_chat_model: more.defaultChatModel,
    },
  };
}

/** `GET /v1/organization/finance`. Amounts are USD as exact decimal text; `balance` is all that can be spent. */
export function describeFinance({ cashPico, countedFromMs, uncountedPico, gift, promotion, autoTopUp }: OrganizationFinance): object {
  return {
    finance: {
      currency: 'USD',
      balance: formatUsd(cashPico + gift.balancePico + promotion.balancePico),
      cash: formatUsd(cashPico),
      counted_from: countedFromMs === null ? null : new Date(countedFromMs).toISOString(),
      usage_not_counted: formatUsd(uncountedPico),
      gift: describeCredits(gift),
      promotion: describeCredits(promotion),
      auto_top_up: describeAutoTopUp(autoTopUp),
    },
  };
}

function describeAutoTopUp(state: AutoTopUpState | null): object {
  if (state === null) return { enabled: false, threshold: null, amount: null, monthly_cap: null };
  return {
    enabled: state.isEnabled,
    threshold: formatUsd(state.thresholdPico),
    amount: formatUsd(state.amountPico),
    monthly_cap: formatUsd(state.monthlyCapPico),
  };
}

function describeCredits({ balancePico, credits }: CreditState): object {
  return {
    balance: formatUsd(balancePico),
    credits: credits.map(({ amountPico, remainingPico, expiresAtMs }) => ({
      amount: formatUsd(amountPico),
      remaining: formatUsd(remainingPico),
      expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    })),
  };
}
