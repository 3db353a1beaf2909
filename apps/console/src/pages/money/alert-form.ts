import { createAlertBody, updateAlertBody } from '@weir/contracts';
import { checkBody, type FieldErrors } from '../../api/check-body';
import type { Schemas } from '../../api/client';
import { readSum } from '../administration/amounts';

export type Alert = Schemas['Alert'];
export type AlertScope = Schemas['CreateAlert']['scope'];
type AlertChannel = Alert['channel'];
type Changes = Schemas['UpdateAlert'];

export type AlertForm = {
  readonly scope: AlertScope;
  readonly key: string;
  readonly group: string;
  readonly member: string;
  readonly limit: string;
  readonly measure: 'percentage' | 'amount';
  readonly value: string;
  /** Of an unusual hour. */
  readonly counts: 'usd' | 'requests';
  readonly sensitivity: 'low' | 'medium' | 'high';
  readonly least: string;
  readonly channel: AlertChannel;
  readonly url: string;
  /** With commas between them. */
  readonly to: string;
  /** In hours; empty: once a period. */
  readonly repeat: string;
  readonly recovery: boolean;
};

export const EMPTY_ALERT: AlertForm = {
  ...{ scope: 'balance', key: '', group: '', member: '', limit: '', measure: 'amount', value: '' },
  ...{ counts: 'usd', sensitivity: 'medium', least: '', channel: 'webhook', url: '', to: '', repeat: '', recovery: false },
};

/** An alert that there is, to be changed. Its address is not put in: of some it is not known here. */
export function toAlertForm(alert: Alert): AlertForm {
  return {
    ...EMPTY_ALERT,
    scope: alert.scope,
    measure: alert.percentage === null ? 'amount' : 'percentage',
    value: String(alert.percentage ?? alert.amount ?? ''),
    counts: alert.measure ?? 'usd',
    sensitivity: alert.sensitivity ?? 'medium',
    least: alert.min_amount ?? '',
    channel: alert.channel,
    url: alert.url ?? '',
    to: (alert.to ?? []).join(', '),
    repeat: alert.repeat_hours === null ? '' : String(alert.repeat_hours),
    recovery: alert.notify_recovery,
  };
}

/** A target that was not chosen and a text that is no number say so themselves; the rest says the interface’s own check. */
export function findAlertErrors(form: AlertForm): FieldErrors {
  const body = toCreateAlert(form);
  const isChosen = (id: string | undefined): string | undefined => (id === '' ? 'Choose one.' : undefined);
  return checkBody(createAlertBody, body, {
    ...(form.scope === 'anomaly' ? {} : { api_key_id: isChosen(body.api_key_id) }),
    group_id: isChosen(body.group_id),
    member_id: isChosen(body.member_id),
    limit_id: isChosen(body.limit_id),
    ...findNumberErrors(form),
  });
}

/** The body, of a form without errors. */
export function toCreateAlert(form: AlertForm): Schemas['CreateAlert'] {
  const { scope, key, group, member, limit, channel, counts, url, to } = form;
  return {
    scope,
    channel,
    ...(channel === 'email' ? { to: readRecipients(to) } : { url: url.trim() }),
    ...(scope === 'key' || (scope === 'anomaly' && key !== '') ? { api_key_id: key } : {}),
    ...(scope === 'group' || scope === 'member' ? { group_id: group } : {}),
    ...(scope === 'member' ? { member_id: member } : {}),
    ...(scope === 'limit' ? { limit_id: limit } : {}),
    ...(scope === 'anomaly' ? { measure: counts } : {}),
    ...readBound(form),
    ...(form.repeat.trim() === '' ? {} : { repeat_hours: Number(form.repeat) }),
    ...(form.recovery ? { notify_recovery: true } : {}),
  };
}

export function findChangeErrors(form: AlertForm): FieldErrors {
  return checkBody(updateAlertBody, toUpdateAlert(form), findNumberErrors(form));
}

/** What changes an alert; an address that is not written again stays. */
export function toUpdateAlert(form: AlertForm): Changes {
  const { channel, url, to, repeat, recovery } = form;
  return {
    ...(channel === 'email' ? { to: readRecipients(to) } : {}),
    ...(channel !== 'email' && url.trim() !== '' ? { url: url.trim() } : {}),
    ...readBound(form),
    repeat_hours: repeat.trim() === '' ? null : Number(repeat),
    notify_recovery: recovery,
  };
}

function readBound(form: AlertForm): Pick<Changes, 'percentage' | 'amount' | 'min_amount' | 'sensitivity'> {
  const { scope, measure, value, sensitivity, least } = form;
  if (scope === 'anomaly') return { sensitivity, ...(least.trim() === '' ? {} : { min_amount: readNumber(least) }) };
  if (measure === 'percentage') return { percentage: Number(value.trim()) };
  return { amount: readNumber(value) };
}

function readNumber(text: string): number {
  const read = readSum(text);
  return 'usd' in read && read.usd !== null ? read.usd : Number(text.trim().replaceAll(',', ''));
}

function readRecipients(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

function findNumberErrors({ scope, measure, value, counts, least, repeat }: AlertForm): FieldErrors {
  const isWhole = /^\d{1,6}$/.test(repeat.trim());
  return {
    ...(scope === 'anomaly'
      ? { min_amount: least.trim() === '' ? undefined : findAmountError(least, counts === 'usd') }
      : { [measure]: measure === 'percentage' ? findPercentageError(value) : findAmountError(value, scope !== 'limit') }),
    repeat_hours: repeat.trim() === '' || isWhole ? undefined : 'Write a whole number of hours, or leave it empty.',
  };
}

function findPercentageError(text: string): string | undefined {
  return /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? undefined : 'Write a percentage, such as 80.';
}

function findAmountError(text: string, isUsd: boolean): string | undefined {
  if (!isUsd) return /^(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/.test(text.trim()) ? undefined : 'Write a number.';
  const read = readSum(text);
  if ('error' in read) return read.error;
  return read.usd === null ? 'Write an amount.' : undefined;
}
