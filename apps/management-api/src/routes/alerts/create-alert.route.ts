import { randomBytes, randomUUID } from 'node:crypto';
import { createAlertBody, type CreateAlertBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { AlertUnit } from '@weir/limits';
import { runChange } from '../../changes/run-change';
import { describeAlert, findAlertTarget, maskTarget, readAlertAmount, readLeast, type AlertSettings } from '../../records/alerts';
import { sealAlertSecret } from '../../records/alert-secrets';
import type { RouteParts } from '../../route/management-parts';
import { created, defineRoute } from '../../route/route';

const ALERTS_MAX = 500;

/** The response has the secret that webhooks of the alert are signed with: this once, and never again. */
export const createAlert = defineRoute({
  id: 'create-alert',
  body: createAlertBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    await checkChannel(parts, body);
    const id = randomUUID();
    const secret = `whsec_${randomBytes(32).toString('base64url')}`;
    const sealed = await sealAlertSecret(parts, { organizationId, id }, body.channel === 'slack' ? (body.url ?? '') : secret);
    await runChange(parts, { ...call, action: 'create-alert' }, async (tx) => {
      if ((await tx.alert.count({ where: { organizationId } })) >= ALERTS_MAX) {
        throw new GatewayError('conflict', `An organization can have ${ALERTS_MAX} alerts at most. Delete some first.`);
      }
      const data = { id, organizationId, ...(await describeNew(tx, organizationId, body)), ...sealed, createdBy: principal.key.userId };
      const row = await tx.alert.create({ data });
      return { result: undefined, audit: { targetKind: 'alert', targetId: id, before: null, after: describeAlert(row) }, changed: [] };
    });
    return created(body.channel === 'webhook' ? { id, secret } : { id });
  },
});

async function checkChannel({ urlGuard, sendsEmail = false }: RouteParts, { channel, url }: CreateAlertBody): Promise<void> {
  if (url !== undefined) await urlGuard?.check({ url, field: 'url' });
  if (channel !== 'email' || sendsEmail) return;
  const message =
    'This gateway sends no e-mail: its operator has to name a mail server first (SMTP_HOST or SMTP_URL; ALERT_EMAIL where services run apart).';
  throw new GatewayError('invalid_request', message, { field: 'channel' });
}

type NewAlert = Omit<Prisma.AlertUncheckedCreateInput, 'id' | 'organizationId' | 'nonce' | 'ciphertext' | 'tag' | 'dataKeyId'>;

async function describeNew(tx: Prisma.TransactionClient, organizationId: string, body: CreateAlertBody): Promise<NewAlert> {
  const {
    scope,
    channel,
    percentage = null,
    url = '',
    to = [],
    repeat_hours: repeatHours = null,
    notify_recovery: notifyRecovery = false,
  } = body;
  const { scopeId, unit } = await findAlertTarget(tx, organizationId, body);
  return {
    ...{ scope, scopeId, channel, percentage, ...describeThreshold(body, unit) },
    ...{ url: channel === 'webhook' ? url : '', target: maskTarget(channel, body), recipients: to },
    ...{ repeatHours, notifyRecovery },
  };
}

function describeThreshold(body: CreateAlertBody, unit: AlertUnit): Pick<NewAlert, 'amountPico' | 'settings'> {
  const { scope, amount, measure = 'usd', sensitivity = 'medium' } = body;
  if (scope === 'anomaly') {
    const settings: AlertSettings = { unit, measure, sensitivity };
    return { amountPico: String(readLeast(body.min_amount, unit)), settings };
  }
  return {
    amountPico: amount === undefined ? null : String(readAlertAmount(amount, unit, 'amount')),
    settings: scope === 'limit' ? ({ unit } satisfies AlertSettings) : {},
  };
}
