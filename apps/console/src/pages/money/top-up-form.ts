import { autoTopUpBody } from '@weir/contracts';
import { checkBody, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import { readSum } from '../administration/amounts';

export type TopUpForm = { readonly enabled: 'on' | 'off'; readonly threshold: string; readonly amount: string; readonly cap: string };

export function findTopUpErrors(form: TopUpForm): FieldErrors {
  const { threshold, amount, cap } = form;
  return checkBody(autoTopUpBody, toTopUp(form), { threshold: errorOf(threshold), amount: errorOf(amount), monthly_cap: errorOf(cap) });
}

/** The body, of a form without errors. */
export function toTopUp({ enabled, threshold, amount, cap }: TopUpForm): Schemas['SetAutoTopUp'] {
  return { enabled: enabled === 'on', threshold: usdOf(threshold), amount: usdOf(amount), monthly_cap: usdOf(cap) };
}

/** What is wrong with the text of a sum that has to be there. */
function errorOf(text: string): string | undefined {
  const read = readSum(text);
  if ('error' in read) return read.error;
  return read.usd === null ? 'Write an amount.' : undefined;
}

function usdOf(text: string): number {
  const read = readSum(text);
  return 'usd' in read ? (read.usd ?? 0) : 0;
}
