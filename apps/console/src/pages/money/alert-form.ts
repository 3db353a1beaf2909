import type { Schemas } from '../../api';
import { readSum } from '../administration/amounts';

export type AlertScope = Schemas['CreateAlert']['scope'];

export type AlertForm = {
  readonly scope: AlertScope;
  readonly key: string;
  readonly group: string;
  readonly member: string;
  readonly measure: 'percentage' | 'amount';
  readonly value: string;
  readonly url: string;
};

export type AlertErrors = Partial<Record<'target' | 'member' | 'value' | 'url', string>>;

export const EMPTY_ALERT: AlertForm = { scope: 'balance', key: '', group: '', member: '', measure: 'amount', value: '', url: '' };

const PERCENTAGE = /^\d{1,4}(\.\d{1,3})?$/;

export function findAlertErrors(form: AlertForm): AlertErrors {
  const found = {
    target: hasTarget(form) ? undefined : 'Choose one.',
    member: form.scope === 'member' && form.member === '' ? 'Choose one.' : undefined,
    value: form.measure === 'percentage' ? findPercentageError(form.value) : findAmountError(form.value),
    url: /^https?:\/\/\S+$/.test(form.url.trim()) ? undefined : 'An address that begins with https:// or http://.',
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined)) as AlertErrors;
}

/** The body, of a form without errors. */
export function toCreateAlert(form: AlertForm): Schemas['CreateAlert'] {
  const { scope, key, group, member, measure, value, url } = form;
  const read = readSum(value);
  return {
    scope,
    url: url.trim(),
    ...(scope === 'key' ? { api_key_id: key } : {}),
    ...(scope === 'group' || scope === 'member' ? { group_id: group } : {}),
    ...(scope === 'member' ? { member_id: member } : {}),
    ...(measure === 'percentage' ? { percentage: Number(value.trim()) } : { amount: 'usd' in read ? (read.usd ?? 0) : 0 }),
  };
}

function hasTarget({ scope, key, group }: AlertForm): boolean {
  return scope === 'balance' || (scope === 'key' ? key : group) !== '';
}

function findPercentageError(text: string): string | undefined {
  const isGood = PERCENTAGE.test(text.trim()) && Number(text) > 0 && Number(text) <= 1000;
  return isGood ? undefined : 'A percentage, such as 80; at most 1000.';
}

function findAmountError(text: string): string | undefined {
  const read = readSum(text);
  if ('error' in read) return read.error;
  return read.usd === null ? 'Write an amount.' : undefined;
}
