export type TopUpSettings = {
  readonly isEnabled: boolean;
  /** A balance below it is topped up. */
  readonly thresholdPico: bigint;
  readonly amountPico: bigint;
  /** All charges of a UTC month together stay within it. */
  readonly monthlyCapPico: bigint;
};

export type TopUpPlan = 'charge' | 'not_needed' | 'capped';

/** Whether an organization is to be charged. `chargedPico`: of this UTC month, charges still unanswered included. */
export function planTopUp(settings: TopUpSettings, state: { readonly balancePico: bigint; readonly chargedPico: bigint }): TopUpPlan {
  if (!settings.isEnabled || state.balancePico >= settings.thresholdPico) return 'not_needed';
  return state.chargedPico + settings.amountPico > settings.monthlyCapPico ? 'capped' : 'charge';
}

const FIRST_PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 24 * 3_600_000;

/** How long to leave an organization alone after so many failures in a row: a minute, four, sixteen, … a day. */
export function topUpPauseMs(failures: number): number {
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 4 ** Math.max(0, failures - 1));
}
