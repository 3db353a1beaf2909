import { createAlertBody } from '@weir/contracts';
import { checkBody, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
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

export const EMPTY_ALERT: AlertForm = { scope: 'balance', key: '', group: '', member: '', measure: 'amount', value: '', url: '' };

/** A target that was not chosen and a text that is no number say so themselves; the rest says the interface’s own check. */
export function findAlertErrors(form: AlertForm): FieldErrors {
  const body = toCreateAlert(form);
  const isChosen = (id: string | undefined): string | undefined => (id === '' ? 'Choose one.' : undefined);
  return checkBody(createAlertBody, body, {
    api_key_id: isChosen(body.api_key_id),
    group_id: isChosen(body.group_id),
    member_id: isChosen(body.member_id),
    [form.measure]: form.measure === 'percentage' ? findPercentageError(form.value) : findAmountError(form.value),
  });
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

function findPercentageError(text: string): string | undefined {
  return /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? undefined : 'Write a percentage, such as 80.';
}

function findAmountError(text: string): string | undefined {
  const read = readSum(text);
  if ('error' in read) return read.error;
  return read.usd === null ? 'Write an amount.' : undefined;
}
