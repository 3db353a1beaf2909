import type { CreateAlertBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { groupMemberScopeId } from '@weir/usage';
import { notFound } from './require-id';
import { limitToText } from './usd';

type AlertRow = Prisma.AlertGetPayload<object>;
type AlertFiringRow = Prisma.AlertFiringGetPayload<object>;

export function describeAlert(alert: AlertRow): Prisma.InputJsonObject {
  const [id = '', member] = alert.scopeId.split('/');
  return {
    id: alert.id,
    scope: alert.scope,
    ...(alert.scope === 'key' ? { api_key_id: id } : {}),
    ...(alert.scope === 'group' || alert.scope === 'member' ? { group_id: id } : {}),
    ...(member === undefined ? {} : { member_id: member }),
    percentage: alert.percentage === null ? null : Number(alert.percentage),
    amount: limitToText(alert.amountPico),
    url: alert.url,
    created_at: alert.createdAt.toISOString(),
  };
}

/** A crossing, and what became of the calls that report it. */
export function describeDelivery(firing: AlertFiringRow): Prisma.InputJsonObject {
  return {
    id: firing.id,
    period: firing.period,
    value: formatUsd(BigInt(firing.valuePico.toFixed(0))),
    threshold: formatUsd(BigInt(firing.thresholdPico.toFixed(0))),
    status: firing.status,
    attempts: firing.attempts,
    last_result: firing.lastResult,
    fired_at: firing.firedAt.toISOString(),
    next_attempt_at: firing.status === 'pending' ? firing.nextAttemptAt.toISOString() : null,
    delivered_at: firing.deliveredAt?.toISOString() ?? null,
  };
}

/** What an alert watches, by the id monthly spending is kept under; refuses what is not the organization's own. */
export async function findAlertTarget(tx: Prisma.TransactionClient, organizationId: string, body: CreateAlertBody): Promise<string> {
  const { scope, api_key_id = '', group_id = '', member_id = '' } = body;
  if (scope === 'balance') return '';
  if (scope === 'key') {
    if ((await tx.apiKey.count({ where: { id: api_key_id, organizationId } })) === 0) throw notFound('API key', api_key_id);
    return api_key_id;
  }
  if ((await tx.userGroup.count({ where: { id: group_id, organizationId } })) === 0) throw notFound('group', group_id);
  if (scope === 'group') return group_id;
  if ((await tx.groupMember.count({ where: { groupId: group_id, userId: member_id } })) === 0) throw notFound('member', member_id);
  return groupMemberScopeId(group_id, member_id);
}
