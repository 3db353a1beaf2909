import { autoTopUpBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { describeAutoTopUp } from '../../records/auto-top-up';
import { usdToPico } from '../../records/usd';
import { defineRoute, ok } from '../../route/route';

/** Replaces the settings; what failed before is forgotten, so that a new means of payment is tried at once. */
export const setAutoTopUp = defineRoute({
  id: 'set-auto-top-up',
  body: autoTopUpBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const data = {
      isEnabled: body.enabled,
      thresholdPico: usdToPico(body.threshold, 'threshold'),
      amountPico: usdToPico(body.amount, 'amount'),
      monthlyCapPico: usdToPico(body.monthly_cap, 'monthly_cap'),
      failures: 0,
      retryAt: null,
    };
    const after = await runChange(parts, { ...call, action: 'set-auto-top-up' }, async (tx) => {
      const before = await tx.autoTopUp.findUnique({ where: { organizationId } });
      const row = await tx.autoTopUp.upsert({ where: { organizationId }, create: { organizationId, ...data }, update: data });
      return {
        result: row,
        audit: {
          targetKind: 'organization',
          targetId: organizationId,
          before: describeAutoTopUp(before),
          after: describeAutoTopUp(row),
        },
        changed: [],
      };
    });
    return ok({ auto_top_up: describeAutoTopUp(after) });
  },
});
