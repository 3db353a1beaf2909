import { formatUsd } from '@weir/pricing';

/** `member`: one person inside one group. */
export type AlertScope = 'key' | 'member' | 'group' | 'balance';

/** A crossing as it is delivered. */
export type AlertNotice = {
  /** Of the crossing: the same in every delivery of it. */
  readonly id: string;
  readonly alertId: string;
  readonly organizationId: string;
  readonly scope: AlertScope;
  /** The key's or group's id, `<group>/<member>`, empty for the balance. */
  readonly scopeId: string;
  /** The UTC month as `yyyy-mm`, or the ledger transaction of the credit since when the balance has been falling. */
  readonly period: string;
  /** Of the limit or of the last credit; null when the threshold is an amount. */
  readonly percentage: string | null;
  readonly valuePico: bigint;
  readonly thresholdPico: bigint;
  readonly firedAtMs: number;
};

/** The JSON body of a webhook. Amounts are USD as exact decimal text. */
export function encodeAlertNotice(notice: AlertNotice): string {
  return JSON.stringify({
    id: notice.id,
    type: notice.scope === 'balance' ? 'balance.low' : 'spend.threshold',
    alert_id: notice.alertId,
    organization_id: notice.organizationId,
    scope: notice.scope,
    ...encodeTarget(notice),
    period: notice.period,
    percentage: notice.percentage === null ? null : Number(notice.percentage),
    threshold: formatUsd(notice.thresholdPico),
    value: formatUsd(notice.valuePico),
    currency: 'USD',
    fired_at: new Date(notice.firedAtMs).toISOString(),
  });
}

function encodeTarget({ scope, scopeId }: AlertNotice): Record<string, string> {
  if (scope === 'balance') return {};
  if (scope === 'key') return { api_key_id: scopeId };
  const [group = '', member = ''] = scopeId.split('/');
  return scope === 'group' ? { group_id: group } : { group_id: group, member_id: member };
}
