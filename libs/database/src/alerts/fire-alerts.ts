import type { Pool } from 'pg';
import { fireBalanceAlerts } from './fire-balance-alerts';
import { fireLimitAlerts } from './fire-limit-alerts';
import { fireSpendAlerts } from './fire-spend-alerts';

/**
 * Notes every crossing there is and has not been noted, once for each alert, period and repetition however often and wherever
 * this runs: it compares what is, so nothing is missed that happened while no process ran. So it notes what is over. Returns
 * how many notices are new.
 */
export async function fireAlerts(pool: Pool, nowMs: number): Promise<number> {
  const spend = await fireSpendAlerts(pool, nowMs);
  const balance = await fireBalanceAlerts(pool, nowMs);
  return spend + balance + (await fireLimitAlerts(pool, nowMs));
}
