import { balanceHistoryParameters } from '@weir/contracts';
import { readBalanceHistory } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { parseBody } from '../../bodies/parse-body';
import { defineRoute, noBody, ok } from '../../route/route';

/** What moved the balance, newest first; usage as one line for each UTC hour. */
export const listBalanceHistory = defineRoute({
  id: 'list-balance-history',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { limit, cursor } = parseBody(balanceHistoryParameters, query);
    const { lines, next } = await readBalanceHistory(database.asOrganization(organizationId), {
      organizationId,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const history = lines.map(({ id, kind, atMs, amountPico, note }) => ({
      id,
      kind,
      at: new Date(atMs).toISOString(),
      amount: formatUsd(amountPico),
      note,
    }));
    return ok({ history, next });
  },
});
