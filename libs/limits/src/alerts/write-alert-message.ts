import { formatAlertAmount, type AlertNotice, type AlertScope } from './alert-notice';

/** What people read: one line, and what stands under it. */
export type AlertMessage = {
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly text: string }[];
};

const NOUNS: Readonly<Record<AlertScope, string>> = {
  ...{ key: 'The key', member: 'The member', group: 'The group', balance: 'The balance', limit: 'The limit', anomaly: 'The key' },
};

/** A notice in words, for channels that people read. It is of one line each: whatever a name has in it. */
export function writeAlertMessage(notice: AlertNotice): AlertMessage {
  const facts = [
    ...listValues(notice),
    { label: 'Period', text: notice.period },
    ...(notice.repetition === 0 ? [] : [{ label: 'Repetition', text: String(notice.repetition) }]),
    { label: 'Noticed', text: `${new Date(notice.firedAtMs).toISOString().slice(0, 19).replace('T', ' ')} UTC` },
    { label: 'Alert', text: notice.alertId },
  ];
  return { title: toLine(writeTitle(notice)), facts: facts.map(({ label, text }) => ({ label, text: toLine(text) })) };
}

function writeTitle(notice: AlertNotice): string {
  const { kind, scope, percentage } = notice;
  const whom = nameTarget(notice);
  if (kind === 'test') return `Test of an alert about ${whom.charAt(0).toLowerCase()}${whom.slice(1)}: nothing has happened`;
  if (scope === 'anomaly') return kind === 'recovered' ? `${whom} is as usual again` : `${whom} is far above what is usual for it`;
  if (scope === 'balance')
    return kind === 'recovered' ? `${whom} is no longer low` : `${whom} is low: ${writeAmount(notice, notice.value)} left`;
  const bound = percentage === null ? writeAmount(notice, notice.threshold) : `${percentage}% of its limit`;
  return kind === 'recovered' ? `${whom} is below ${bound} again` : `${whom} has reached ${bound}`;
}

function nameTarget({ scope, scopeId, scopeName, details: { anomaly } }: AlertNotice): string {
  const noun = NOUNS[scope];
  if (scope === 'balance') return noun;
  const name = scopeName ?? anomaly?.apiKeyId ?? scopeId;
  return name === '' ? 'Every key' : `${noun} "${name.slice(0, 200)}"`;
}

function listValues(notice: AlertNotice): AlertMessage['facts'] {
  const { kind, scope, details } = notice;
  if (kind === 'test') return [];
  const now = { label: scope === 'balance' ? 'Left' : 'Used', text: writeAmount(notice, notice.value) };
  const bound = { label: 'Threshold', text: writeAmount(notice, notice.threshold) };
  const { limit, anomaly } = details;
  if (limit !== undefined) {
    const end = limit.windowEnd === null ? [] : [{ label: 'Window ends', text: limit.windowEnd }];
    const whom = limit.partition === null ? [] : [{ label: 'Counted for', text: limit.partition }];
    const unit = details.unit ?? 'USD';
    return [now, bound, { label: 'Limit', text: `${limit.amount} ${unit} (${limit.measure}, ${limit.window})` }, ...whom, ...end];
  }
  if (anomaly !== undefined) {
    const usual = { label: 'Usual', text: `${anomaly.usual} ${details.unit ?? 'USD'}` };
    return [now, usual, bound, { label: 'Hour', text: anomaly.hour }];
  }
  return [now, bound];
}

function writeAmount({ details: { unit = 'USD' } }: AlertNotice, amount: bigint): string {
  return `${formatAlertAmount(amount, unit)} ${unit}`;
}

/** The characters of a name were chosen by the person that gave it: none of them may begin a line of its own. */
function toLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
