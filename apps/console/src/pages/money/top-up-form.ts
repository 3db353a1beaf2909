import type { Schemas } from '../../api';
import { parseUsd } from '../../format/money';
import { readSum } from '../administration/amounts';

export type TopUpForm = { readonly enabled: 'on' | 'off'; readonly threshold: string; readonly amount: string; readonly cap: string };
export type TopUpErrors = Readonly<Record<'threshold' | 'amount' | 'cap', string | undefined>>;

export function findTopUpErrors({ threshold, amount, cap }: TopUpForm): TopUpErrors {
  const errors = { threshold: errorOf(threshold, false), amount: errorOf(amount, true), cap: errorOf(cap, true) };
  const isLow = errors.amount === undefined && errors.cap === undefined && parseUsd(usdOf(cap)) < parseUsd(usdOf(amount));
  return isLow ? { ...errors, cap: 'At least one top-up.' } : errors;
}

/** The body, of a form without errors. */
export function toTopUp({ enabled, threshold, amount, cap }: TopUpForm): Schemas['SetAutoTopUp'] {
  return { enabled: enabled === 'on', threshold: usdOf(threshold), amount: usdOf(amount), monthly_cap: usdOf(cap) };
}

/** What is wrong with a sum that has to be there. */
function errorOf(text: string, isPositive: boolean): string | undefined {
  const read = readSum(text);
  if ('error' in read) return read.error;
  if (read.usd === null) return 'Write an amount.';
  return isPositive && read.usd === 0 ? 'More than 0.' : undefined;
}

function usdOf(text: string): number {
  const read = readSum(text);
  return 'usd' in read ? (read.usd ?? 0) : 0;
}
