import { randomUUID } from 'node:crypto';
import type { ChatPriceSheet, PriceSheet, UsageEvent } from '@weir/contracts';
import { priceAgain } from '@weir/meter';
import { priceUsage } from '@weir/pricing';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from '@weir/testing';
import { HOUR_MS } from '@weir/usage';
import { startTestDatabase, type TestDatabase } from '../../../__fixtures__/test-database';
import { readBalance } from '../../../ledger/read-balance';
import { readBalanceHistory } from '../../../ledger/read-balance-history';
import { verifyLedger } from '../../../ledger/verify-ledger';
import { compareLimitUsage } from '../../../limits/compare-limit-usage';
import { createUsageStore } from '../../create-usage-store';
import { createUsageUpkeep } from '../../create-usage-upkeep';
import { readReconciliation } from '../../reconcile/read-reconciliation';
import { rebuildHour } from '../../reconcile/rebuild-usage';
import { moveState } from '../open-rerate';
import { rerateUsage, type RerateAsk, type RerateResult } from '../rerate-usage';
import type { RerateCriteria } from '../rerate-ask';

export const NOW = Date.UTC(2026, 7, 7, 13);
export const HOUR = NOW - HOUR_MS;

export function makeSheet(version: string, input: string, output: string): ChatPriceSheet {
  const cached = { cachedRead: '0.000000000003', cacheWrite5m: input, cacheWrite1h: input };
  return { kind: 'chat', version, tiers: [{ threshold: 0, input, output, ...cached }] };
}

/** Twice too much, what is right, and what was right after all. */
export const SHEETS: Readonly<Record<string, PriceSheet>> = {
  wrong: makeSheet('wrong', '0.000002000000000001', '0.000008'),
  right: makeSheet('right', '0.000001000000000003', '0.000004'),
  third: makeSheet('third', '0.000001000000000003', '0.000005'),
};

/** An event that costs what its price says. */
export function makePriced(version: string, more: Partial<UsageEvent> = {}): UsageEvent {
  const event = makeUsageEvent({
    admitted_at: HOUR,
    units: { ...NO_UNITS, in: 1_001, out: 333, cached_in: 7 },
    ...more,
    price_version: version,
  });
  const { units } = event;
  const usage = {
    ...{ inputUncached: units.in, cacheRead: units.cached_in, cacheWrite5m: 0, cacheWrite1h: 0, output: units.out },
    ...{ reasoning: 0, audioInput: 0, audioOutput: 0, searches: 0, source: 'provider' as const },
  };
  const cost = more.cost_p ?? String(priceUsage(SHEETS[version] as PriceSheet, usage));
  return { ...event, cost_p: cost, billed_p: event.is_byok ? '0' : cost };
}

export type RerateBench = Awaited<ReturnType<typeof startRerateBench>>;

/** A database with what it takes to re-rate usage and to compare all that is counted of it. */
export async function startRerateBench() {
  const server: TestDatabase = await startTestDatabase();
  const { pool, prisma } = server.database;
  const store = createUsageStore({ pool, now: () => NOW });
  const notes: { organizationId: string; corrected: number }[] = [];

  const use = async (events: readonly UsageEvent[]): Promise<void> => {
    const applied = await store.applyBatch(sequenceEvents(randomUUID(), events), null);
    if (applied.applied !== events.length) throw new Error(`only ${applied.applied} of ${events.length} events were counted`);
  };

  const rerate = (
    [priceVersion, toPriceVersion]: readonly [string, string],
    more: Partial<RerateAsk> & { readonly only?: Partial<RerateCriteria>; readonly failPoint?: () => void } = {},
  ): Promise<RerateResult> => {
    const { only, failPoint, ...ask } = more;
    const [was, is] = [SHEETS[priceVersion] as PriceSheet, SHEETS[toPriceVersion] as PriceSheet];
    const span = { fromMs: NOW - 48 * HOUR_MS, toMs: NOW };
    const noteDone = async ({ id }: { id: string }, done: { organizationId: string; corrected: number }): Promise<void> => {
      notes.push({ organizationId: done.organizationId, corrected: done.corrected });
      await moveState(pool, { rerateId: id, organizationId: done.organizationId }, ['corrected', 'done']);
    };
    return rerateUsage(
      { pool, now: () => NOW, noteDone, ...(failPoint === undefined ? {} : { failPoint }) },
      {
        criteria: { modelUsed: 'vendor/model', providerUsed: null, ...span, priceVersion, toPriceVersion, organizationId: null, ...only },
        ...{ because: 'a misprint', actor: 'ann', allowsDebt: false, isBalanceRequired: false, isDryRun: false },
        price: (event, costPico) => priceAgain(event, { costPico, was, is }),
        ...ask,
      },
    );
  };

  const rows = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(text, values)).rows;

  const history = async (organizationId: string) =>
    (await readBalanceHistory(server.database.asOrganization(organizationId), { organizationId, limit: 1000 })).lines;

  /** Everything that counting and correcting wrote, but how often it was changed. */
  const snapshot = async (organizationId: string): Promise<unknown> => ({
    rollups: await Promise.all(
      ['usage_hour', 'usage_day', 'usage_month'].map((table) =>
        rows(`SELECT * FROM ${table} WHERE org_id = $1 ORDER BY 2, 3`, [organizationId]),
      ),
    ),
    spend: await rows('SELECT scope, month, cost_pico, requests FROM spend_month WHERE scope_id = $1', [organizationId]),
    balance: await readBalance(pool, organizationId),
    events: await rows("SELECT event_id, payload ->> 'cost_p' AS cost FROM usage_event WHERE org_id = $1 ORDER BY 1", [organizationId]),
  });

  /** In every place where the same usage is written down, as administrators, operators and the clock compare them. */
  const expectAllAgree = async (organizationId: string): Promise<void> => {
    const monthMs = Date.UTC(2026, 7);
    const { differences, unexplainedPico } = await readReconciliation(server.database, { organizationId, monthMs });
    expect([differences, unexplainedPico]).toEqual([[], 0n]);
    expect(await verifyLedger(pool, organizationId)).toEqual([]);
    expect(await compareLimitUsage(pool)).toEqual([]);
    const total = (await history(organizationId)).reduce((sum, { amountPico }) => sum + amountPico, 0n);
    expect(total).toBe((await readBalance(pool, organizationId)).totalPico);
    const before = await snapshot(organizationId);
    await rebuildHour({ pool, organizationId, periodStartMs: HOUR });
    expect(await snapshot(organizationId)).toEqual(before);
  };

  /** As the clock compares it, of all organizations. */
  const expectChecked = async (): Promise<void> => {
    const found = await createUsageUpkeep({ pool, now: () => NOW + 2 * HOUR_MS }).checkUsage();
    expect([found.checked > 0, found.unexplainedPico]).toEqual([true, 0n]);
  };

  const createOrganization = async (): Promise<string> => (await prisma.organization.create({ data: { name: 'Example' } })).id;

  return { server, pool, store, notes, use, rerate, rows, history, snapshot, expectAllAgree, expectChecked, createOrganization };
}
