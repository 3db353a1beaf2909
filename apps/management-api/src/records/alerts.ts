import { LIMIT_MEASURES, type CreateAlertBody, type LimitDocument, type UpdateAlertBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { formatAlertAmount, type AlertDetails, type AlertUnit } from '@weir/limits';
import { groupMemberScopeId } from '@weir/usage';
import { notFound } from './require-id';
import { lockRules } from './rules';
import { usdToPico } from './usd';

type AlertRow = Prisma.AlertGetPayload<object>;
type AlertFiringRow = Prisma.AlertFiringGetPayload<object>;

/** What is kept of an alert beside its columns: the unit of its amount, and of an anomaly how it is judged. */
export type AlertSettings = {
  readonly unit?: AlertUnit;
  readonly measure?: 'usd' | 'requests';
  readonly sensitivity?: 'low' | 'medium' | 'high';
};

/** Nothing of it is secret: of an address that is, only the host. */
export function describeAlert(alert: AlertRow): Prisma.InputJsonObject {
  const settings = alert.settings as AlertSettings;
  const amount = alert.amountPico === null ? null : formatAlertAmount(BigInt(alert.amountPico.toFixed(0)), settings.unit ?? 'USD');
  return {
    id: alert.id,
    scope: alert.scope,
    ...describeTarget(alert),
    percentage: alert.percentage === null ? null : Number(alert.percentage),
    ...(alert.scope === 'anomaly'
      ? { amount: null, measure: settings.measure ?? 'usd', sensitivity: settings.sensitivity ?? 'medium', min_amount: amount }
      : { amount }),
    channel: alert.channel,
    target: alert.channel === 'webhook' ? alert.url : alert.target,
    url: alert.channel === 'webhook' ? alert.url : null,
    ...(alert.channel === 'email' ? { to: alert.recipients } : {}),
    repeat_hours: alert.repeatHours,
    notify_recovery: alert.notifyRecovery,
    created_at: alert.createdAt.toISOString(),
  };
}

function describeTarget({ scope, scopeId }: AlertRow): Prisma.InputJsonObject {
  const [id = '', member = ''] = scopeId.split('/');
  if (scope === 'key') return { api_key_id: id };
  if (scope === 'anomaly') return id === '' ? {} : { api_key_id: id };
  if (scope === 'limit') return { limit_id: id };
  if (scope === 'group') return { group_id: id };
  return scope === 'member' ? { group_id: id, member_id: member } : {};
}

/** A crossing, and what became of the calls that report it. */
export function describeDelivery(firing: AlertFiringRow): Prisma.InputJsonObject {
  const unit = (firing.details as AlertDetails).unit ?? 'USD';
  return {
    id: firing.id,
    kind: firing.kind,
    period: firing.period.replace(/#.*$/, ''),
    repetition: firing.repetition,
    value: formatAlertAmount(BigInt(firing.valuePico.toFixed(0)), unit),
    threshold: formatAlertAmount(BigInt(firing.thresholdPico.toFixed(0)), unit),
    unit,
    status: firing.status,
    attempts: firing.attempts,
    last_result: firing.lastResult,
    fired_at: firing.firedAt.toISOString(),
    next_attempt_at: firing.status === 'pending' ? firing.nextAttemptAt.toISOString() : null,
    delivered_at: firing.deliveredAt?.toISOString() ?? null,
  };
}

/** What an alert watches, and the unit that its amounts are in. */
type WatchedTarget = { readonly scopeId: string; readonly unit: AlertUnit };

type FindTarget = (tx: Prisma.TransactionClient, organizationId: string, body: CreateAlertBody) => Promise<WatchedTarget>;

const FIND_TARGETS: Readonly<Record<CreateAlertBody['scope'], FindTarget>> = {
  balance: () => Promise.resolve({ scopeId: '', unit: 'USD' }),
  key: async (tx, organizationId, { api_key_id: id }) => ({ scopeId: await findKey(tx, organizationId, id), unit: 'USD' }),
  anomaly: async (tx, organizationId, { api_key_id: id, measure }) => ({
    scopeId: await findKey(tx, organizationId, id),
    unit: measure === 'requests' ? 'requests' : 'USD',
  }),
  limit: async (tx, organizationId, { limit_id: id = '' }) => ({ scopeId: id, unit: await readLimitUnit(tx, organizationId, id) }),
  group: async (tx, organizationId, { group_id: id }) => ({ scopeId: await findGroup(tx, organizationId, id), unit: 'USD' }),
  member: async (tx, organizationId, { group_id, member_id: userId = '' }) => {
    const groupId = await findGroup(tx, organizationId, group_id);
    if ((await tx.groupMember.count({ where: { groupId, userId } })) === 0) throw notFound('member', userId);
    return { scopeId: groupMemberScopeId(groupId, userId), unit: 'USD' };
  },
};

/** By the id that usage is kept under; refuses what is not the organization's own. */
export const findAlertTarget: FindTarget = (tx, organizationId, body) => FIND_TARGETS[body.scope](tx, organizationId, body);

async function findGroup(tx: Prisma.TransactionClient, organizationId: string, id = ''): Promise<string> {
  if ((await tx.userGroup.count({ where: { id, organizationId } })) === 0) throw notFound('group', id);
  return id;
}

async function findKey(tx: Prisma.TransactionClient, organizationId: string, id = ''): Promise<string> {
  if (id !== '' && (await tx.apiKey.count({ where: { id, organizationId } })) === 0) throw notFound('API key', id);
  return id;
}

/** Throws `conflict` while an alert watches the limit: without it the alert would be silent for ever, and look as if all were well. */
export async function checkLimitIsUnwatched(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<void> {
  const watching = await tx.alert.findMany({ where: { organizationId, scope: 'limit', scopeId: id }, select: { id: true } });
  if (watching.length === 0) return;
  const ids = watching.map((alert) => alert.id).sort();
  const named = ids.length === 1 ? `The alert ${ids[0]} watches` : `${ids.length} alerts, ${ids[0]} among them, watch`;
  throw new GatewayError('conflict', `${named} the limit. Delete what watches it first, or change the limit instead.`);
}

async function readLimitUnit(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<AlertUnit> {
  await lockRules(tx, organizationId);
  const limit = await tx.organizationRule.findFirst({ where: { id, organizationId, kind: 'limit' } });
  if (limit === null) throw notFound('limit', id);
  const measure = LIMIT_MEASURES.find(({ name }) => name === (limit.document as LimitDocument).measure);
  if (measure === undefined || measure.isConcurrent) {
    const message =
      'There are no alerts about limits of what runs at a moment: such a limit is never used up. Watch a limit with a window.';
    throw new GatewayError('invalid_request', message, { field: 'limit_id' });
  }
  return measure.unit;
}

/** An amount as it is stored: in pico-dollars, or whole in its unit. */
export function readAlertAmount(value: number, unit: AlertUnit, field: string): Prisma.Decimal | bigint {
  if (unit === 'USD') return usdToPico(value, field);
  if (Number.isInteger(value)) return BigInt(value);
  throw new GatewayError('invalid_request', `\`${field}\` must be a whole number of ${unit}.`, { field });
}

/** Below this an hour is never unusual, where nothing is said. */
const LEAST: Readonly<Record<string, number>> = { USD: 1, requests: 100 };

export function readLeast(value: number | undefined, unit: AlertUnit): Prisma.Decimal | bigint {
  return readAlertAmount(value ?? LEAST[unit] ?? 1, unit, 'min_amount');
}

/** What may be shown of an alert's address. */
export function maskTarget(channel: string, { url, to }: Pick<UpdateAlertBody, 'url' | 'to'>): string {
  if (channel === 'email') return (to ?? []).join(', ');
  return channel === 'slack' && url !== undefined ? `${new URL(url).origin}/…` : '';
}
