import { randomBytes, randomUUID } from 'node:crypto';
import { createAlertBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { describeAlert, findAlertTarget } from '../../records/alerts';
import { usdToPico } from '../../records/usd';
import { created, defineRoute } from '../../route/route';

const ALERTS_MAX = 500;
/** Sealed once and never replaced. */
const SECRET_VERSION = 1;

/** The response has the secret that webhooks of the alert are signed with: this once, and never again. */
export const createAlert = defineRoute({
  id: 'create-alert',
  body: createAlertBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const amountPico = body.amount === undefined ? null : usdToPico(body.amount, 'amount');
    await parts.urlGuard?.check({ url: body.url, field: 'url' });
    const id = randomUUID();
    const secret = `whsec_${randomBytes(32).toString('base64url')}`;
    const sealed = await parts.vault.seal(secret, { organizationId, recordId: id, version: SECRET_VERSION });
    await runChange(parts, { ...call, action: 'create-alert' }, async (tx) => {
      if ((await tx.alert.count({ where: { organizationId } })) >= ALERTS_MAX) {
        throw new GatewayError('conflict', `An organization can have ${ALERTS_MAX} alerts at most. Delete some first.`);
      }
      const scopeId = await findAlertTarget(tx, organizationId, body);
      const row = await tx.alert.create({
        data: {
          ...{ id, organizationId, scope: body.scope, scopeId, percentage: body.percentage ?? null, amountPico, url: body.url },
          nonce: new Uint8Array(sealed.nonce),
          ciphertext: new Uint8Array(sealed.ciphertext),
          tag: new Uint8Array(sealed.tag),
          dataKeyId: sealed.dataKeyId,
          createdBy: principal.key.userId,
        },
      });
      return { result: undefined, audit: { targetKind: 'alert', targetId: id, before: null, after: describeAlert(row) }, changed: [] };
    });
    return created({ id, secret });
  },
});
