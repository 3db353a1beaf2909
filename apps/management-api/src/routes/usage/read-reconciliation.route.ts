import { reconciliationParameters } from '@weir/contracts';
import { readReconciliation as compareMonth } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { periodStart } from '@weir/usage';
import { parseBody } from '../../bodies/parse-body';
import { defineRoute, noBody, ok } from '../../route/route';

/**
 * The organization's month as each place has it, and what they differ by. Which writers have holes is for operators
 * only: a writer serves all organizations.
 */
export const readReconciliation = defineRoute({
  id: 'read-reconciliation',
  body: noBody,
  run: async ({ organizationId, query }, { database, now }) => {
    const { month } = parseBody(reconciliationParameters, query);
    const monthMs = month === undefined ? periodStart('month', now()) : Date.parse(`${month}-01T00:00:00Z`);
    const { sums, differences, unexplainedPico, isComplete } = await compareMonth(database, { organizationId, monthMs });
    return ok({
      reconciliation: {
        month: new Date(monthMs).toISOString().slice(0, 7),
        as_of: new Date(now()).toISOString(),
        places: sums.map(({ place, attempts, requests, costPico, billedPico }) => ({
          place,
          attempts: textOrNull(attempts),
          requests: textOrNull(requests),
          spend_usd: usdOrNull(costPico),
          billed_usd: usdOrNull(billedPico),
        })),
        differences: differences.map(({ between, what, by }) => ({
          between,
          what: NAMES[what],
          by: isMoney(what) ? formatUsd(by) : String(by),
        })),
        unexplained_usd: formatUsd(unexplainedPico),
        is_complete: isComplete,
      },
    });
  },
});

const NAMES = { attempts: 'attempts', requests: 'requests', costPico: 'spend_usd', billedPico: 'billed_usd' } as const;

function isMoney(what: keyof typeof NAMES): boolean {
  return what === 'costPico' || what === 'billedPico';
}

function textOrNull(count: bigint | null): string | null {
  return count === null ? null : String(count);
}

function usdOrNull(pico: bigint | null): string | null {
  return pico === null ? null : formatUsd(pico);
}
