import { formatUsd } from '@weir/pricing';

/** `member`: one person inside one group. */
export type AlertScope = 'key' | 'member' | 'group' | 'balance' | 'limit' | 'anomaly';

/** `crossed`: the threshold was reached; `recovered`: it is no longer; `test`: someone tries the channel. */
export type AlertKind = 'crossed' | 'recovered' | 'test';

/** What thresholds and values are counted in. */
export type AlertUnit = 'USD' | 'requests' | 'tokens';

/** What a notice about a limit says of it, as it was then. */
export type NoticedLimit = {
  readonly name: string;
  readonly measure: string;
  readonly window: string;
  /** In UTC; null where the window has no end of its own. */
  readonly windowEnd: string | null;
  /** Decimal text in the limit's unit. */
  readonly amount: string;
  /** Whom the limit counts, where it counts each apart; null otherwise. */
  readonly partition: string | null;
};

/** What a notice about an unusual hour says of it. */
export type NoticedHour = {
  readonly apiKeyId: string;
  /** Its beginning in UTC. */
  readonly hour: string;
  /** What such an hour usually has: decimal text in the unit of the measure. */
  readonly usual: string;
  readonly sensitivity: string;
};

/** What a notice carries besides, by its scope. */
export type AlertDetails = {
  readonly unit?: AlertUnit;
  readonly limit?: NoticedLimit;
  readonly anomaly?: NoticedHour;
};

/** A crossing as it is delivered. */
export type AlertNotice = {
  /** Of the crossing: the same in every delivery of it. */
  readonly id: string;
  readonly alertId: string;
  readonly organizationId: string;
  readonly kind: AlertKind;
  readonly scope: AlertScope;
  /** The key's, group's or limit's id, `<group>/<member>`, empty for the balance and for every key. */
  readonly scopeId: string;
  /** By what people know it; null where it is gone or has none. */
  readonly scopeName: string | null;
  /**
   * The UTC month as `yyyy-mm`, the ledger transaction of the credit since when the balance has been falling, the window of
   * a limit, or the day and key of an anomaly.
   */
  readonly period: string;
  /** 0 for the first notice of a period. */
  readonly repetition: number;
  /** Of the limit or of the last credit; null when the threshold is an amount. */
  readonly percentage: string | null;
  /** In pico-dollars, requests or tokens, as `details.unit` says; pico-dollars where it says nothing. */
  readonly value: bigint;
  readonly threshold: bigint;
  readonly details: AlertDetails;
  readonly firedAtMs: number;
};

const TOPICS: Readonly<Record<AlertScope, string>> = {
  ...{ key: 'spend', member: 'spend', group: 'spend', balance: 'balance', limit: 'limit', anomaly: 'usage' },
};
const CROSSED: Readonly<Record<string, string>> = {
  ...{ spend: 'spend.threshold', balance: 'balance.low', limit: 'limit.threshold', usage: 'usage.anomaly' },
};

/** What a notice is called on the wire. */
export function nameAlertType({ scope, kind }: Pick<AlertNotice, 'scope' | 'kind'>): string {
  const topic = TOPICS[scope];
  if (kind === 'test') return 'test';
  return kind === 'recovered' ? `${topic}.recovered` : (CROSSED[topic] ?? topic);
}

/** An amount of an alert as exact decimal text in its unit. */
export function formatAlertAmount(amount: bigint, unit: AlertUnit): string {
  return unit === 'USD' ? formatUsd(amount) : String(amount);
}

/** The JSON body of a webhook. Amounts are exact decimal text. */
export function encodeAlertNotice(notice: AlertNotice): string {
  const { details, repetition } = notice;
  const unit = details.unit ?? 'USD';
  return JSON.stringify({
    id: notice.id,
    type: nameAlertType(notice),
    alert_id: notice.alertId,
    organization_id: notice.organizationId,
    scope: notice.scope,
    ...encodeTarget(notice),
    period: notice.period,
    ...(repetition === 0 ? {} : { repetition }),
    percentage: notice.percentage === null ? null : Number(notice.percentage),
    threshold: formatAlertAmount(notice.threshold, unit),
    value: formatAlertAmount(notice.value, unit),
    ...(unit === 'USD' ? { currency: 'USD' } : {}),
    ...(details.unit === undefined ? {} : { unit }),
    fired_at: new Date(notice.firedAtMs).toISOString(),
  });
}

function encodeTarget({ scope, scopeId, details: { limit, anomaly } }: AlertNotice): object {
  if (scope === 'balance') return {};
  if (scope === 'key') return { api_key_id: scopeId };
  if (scope === 'limit') return { limit_id: scopeId, ...(limit === undefined ? {} : { limit: encodeLimit(limit) }) };
  if (scope === 'anomaly') return encodeAnomaly(scopeId, anomaly);
  const [group = '', member = ''] = scopeId.split('/');
  return scope === 'group' ? { group_id: group } : { group_id: group, member_id: member };
}

function encodeLimit({ name, measure, window, windowEnd, amount, partition }: NoticedLimit): object {
  return { name, measure, window, window_end: windowEnd, amount, partition };
}

function encodeAnomaly(scopeId: string, anomaly: NoticedHour | undefined): object {
  if (anomaly === undefined) return scopeId === '' ? {} : { api_key_id: scopeId };
  const { apiKeyId, hour, usual, sensitivity } = anomaly;
  return { api_key_id: apiKeyId, anomaly: { hour, usual, sensitivity } };
}
