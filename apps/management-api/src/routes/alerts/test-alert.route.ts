import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { describeDelivery } from '../../records/alerts';
import { notFound, requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 200;
const PAUSE_MS = 10_000;
const MINUTE_MS = 60_000;
/** Of all alerts of an organization. */
const TESTS_A_MINUTE = 10;

/**
 * Sends a notice of the type `test`, by the process and the way that notices go, and returns what happened. It is sent once.
 * `pending`: nothing sent it in time; it stands among the deliveries of the alert, where what became of it can be read.
 */
export const testAlert = defineRoute({
  id: 'test-alert',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const alertId = requireId(call.params['id'], 'alert');
    const id = randomUUID();
    const now = parts.now();
    await runChange(parts, { ...call, action: 'test-alert' }, async (tx) => {
      if ((await tx.alert.count({ where: { id: alertId, organizationId } })) === 0) throw notFound('alert', alertId);
      await checkRate(tx, { organizationId, alertId }, now);
      // One name for all that is asked for at once: of two, one is written.
      const period = `test#${Math.floor(now / PAUSE_MS)}`;
      const at = new Date(now);
      await tx.alertFiring.create({
        data: { ...{ id, alertId, organizationId, period, kind: 'test', valuePico: 0, thresholdPico: 0 }, firedAt: at, nextAttemptAt: at },
      });
      return {
        result: undefined,
        audit: { targetKind: 'alert', targetId: alertId, before: null, after: { delivery_id: id } },
        changed: [],
      };
    });
    const own = parts.database.asOrganization(organizationId);
    const look = () => own.transact((tx) => tx.alertFiring.findFirst({ where: { id, organizationId } }));
    for (const end = performance.now() + (parts.alertTestMs ?? WAIT_MS); ;) {
      const firing = await look();
      if (firing === null) throw notFound('alert', alertId);
      if (firing.status !== 'pending' || performance.now() >= end) return ok({ delivery: describeDelivery(firing) });
      await wait(LOOK_EVERY_MS);
    }
  },
});

type Tested = { readonly organizationId: string; readonly alertId: string };

/** A test reaches people and servers that did not ask for it. */
async function checkRate(tx: Prisma.TransactionClient, { organizationId, alertId }: Tested, now: number): Promise<void> {
  const count = (ms: number, of: object): Promise<number> =>
    tx.alertFiring.count({ where: { ...of, organizationId, kind: 'test', firedAt: { gt: new Date(now - ms) } } });
  if ((await count(PAUSE_MS, { alertId })) > 0) throw refuse('This alert was tested a moment ago. Wait ten seconds.', PAUSE_MS);
  if ((await count(MINUTE_MS, {})) >= TESTS_A_MINUTE)
    throw refuse(`Alerts can be tested ${TESTS_A_MINUTE} times a minute. Wait a minute.`, MINUTE_MS);
}

function refuse(message: string, waitMs: number): GatewayError {
  return new GatewayError('rate_limited', message, { retryAfterSeconds: waitMs / 1000 });
}
