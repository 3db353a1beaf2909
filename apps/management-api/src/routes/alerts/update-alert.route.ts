import { updateAlertBody, type UpdateAlertBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { sealAlertSecret } from '../../records/alert-secrets';
import { describeAlert, maskTarget, readAlertAmount, readLeast, type AlertSettings } from '../../records/alerts';
import { notFound, requireId } from '../../records/require-id';
import { defineRoute, ok } from '../../route/route';

type AlertRow = Prisma.AlertGetPayload<object>;

/** A period that was reported is not reported again because of another threshold. */
export const updateAlert = defineRoute({
  id: 'update-alert',
  body: updateAlertBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const id = requireId(call.params['id'], 'alert');
    if (body.url !== undefined) await parts.urlGuard?.check({ url: body.url, field: 'url' });
    const sealed = body.url === undefined ? undefined : await sealAlertSecret(parts, { organizationId, id }, body.url);
    const alert = await runChange(parts, { ...call, action: 'update-alert' }, async (tx) => {
      const before = await tx.alert.findFirst({ where: { id, organizationId } });
      if (before === null) throw notFound('alert', id);
      checkFields(before, body);
      const after = await tx.alert.update({
        where: { id },
        data: { ...describeChange(before, body), ...(before.channel === 'slack' ? sealed : {}) },
      });
      const audit = { targetKind: 'alert', targetId: id, before: describeAlert(before), after: describeAlert(after) } as const;
      return { result: after, audit, changed: [] };
    });
    return ok({ alert: describeAlert(alert) });
  },
});

/** Which fields an alert of a scope or channel does not have. */
function checkFields({ scope, channel }: AlertRow, body: UpdateAlertBody): void {
  const foreign: readonly (keyof UpdateAlertBody)[] = [
    ...(scope === 'anomaly' ? (['percentage', 'amount'] as const) : (['min_amount', 'sensitivity'] as const)),
    channel === 'email' ? 'url' : 'to',
  ];
  for (const field of foreign) {
    if (body[field] === undefined) continue;
    const message = `\`${field}\` is not for an alert of the scope "${scope}" and the channel "${channel}".`;
    throw new GatewayError('invalid_request', message, { field });
  }
}

function describeChange(before: AlertRow, body: UpdateAlertBody): Prisma.AlertUncheckedUpdateInput {
  const settings = before.settings as AlertSettings;
  const { sensitivity, repeat_hours: repeatHours, notify_recovery: notifyRecovery, url, to } = body;
  return {
    ...describeThreshold(body, settings),
    ...(sensitivity === undefined ? {} : { settings: { ...settings, sensitivity } }),
    ...(repeatHours === undefined ? {} : { repeatHours }),
    ...(notifyRecovery === undefined ? {} : { notifyRecovery }),
    ...(url === undefined && to === undefined ? {} : { target: maskTarget(before.channel, body) }),
    ...(url !== undefined && before.channel === 'webhook' ? { url } : {}),
    ...(to === undefined ? {} : { recipients: to }),
  };
}

function describeThreshold(
  { percentage, amount, min_amount: least }: UpdateAlertBody,
  { unit = 'USD' }: AlertSettings,
): Prisma.AlertUncheckedUpdateInput {
  if (percentage !== undefined) return { percentage, amountPico: null };
  if (amount !== undefined) return { percentage: null, amountPico: String(readAlertAmount(amount, unit, 'amount')) };
  return least === undefined ? {} : { amountPico: String(readLeast(least, unit)) };
}
