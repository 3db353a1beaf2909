import { readMetrics } from '@weir/chaos';
import { readUsage, type Harness } from '@weir/gateway-e2e';
import { waitUntil } from '@weir/testing';
import type { Keys } from './start-soak-load';
import type { KeyName } from './request-kinds';

const PATIENCE_MS = 120_000;
const HOUR_MS = 3_600_000;
const UNREST = ['weir_journal_unaggregated_events', 'weir_journal_open_attempts'];

export type Spend = {
  /** USD, as the usage of the organization shows it by key. */
  readonly ofKey: Readonly<Record<KeyName, string>>;
  /** What events, rollups, spend and ledger differ by. */
  readonly unexplainedUsd: string;
};

/** Waits until everything is counted, then reads what was spent since `startedAt`. */
export async function readSpend(harness: Harness, keys: Keys, startedAt: number): Promise<Spend> {
  await waitUntil(
    'every event is counted',
    async () => {
      const metrics = await readMetrics(harness.metricsUrl);
      return UNREST.every((name) => metrics.get(name) === 0);
    },
    PATIENCE_MS,
  );
  const start = toHour(startedAt);
  const { usage } = await readUsage(harness, { start, end: toHour(Date.now() + HOUR_MS), resolution: 'month', group_by: 'api_key_id' });
  const groups = Object.values(usage).flatMap(({ grouped_data: grouped = [] }) => grouped);
  const spendOf = (name: KeyName): string => {
    const own = groups.filter(({ group_by_values: values }) => values['api_key_id'] === keys[name].id);
    if (own.length > 1) throw new Error('the run lasted from one month into the next: its usage has two entries a key');
    return own[0]?.spend ?? '0';
  };
  return {
    ofKey: { plain: spendOf('plain'), guarded: spendOf('guarded'), leaving: spendOf('leaving') },
    unexplainedUsd: await readUnexplained(harness, start.slice(0, 'yyyy-mm'.length)),
  };
}

function toHour(time: number): string {
  return new Date(Math.floor(time / HOUR_MS) * HOUR_MS).toISOString();
}

async function readUnexplained({ managementUrl, apiKey }: Harness, month: string): Promise<string> {
  const reply = await fetch(`${managementUrl}/v1/manage/reconciliation?month=${month}`, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`the reconciliation answered ${reply.status}: ${text}`);
  return (JSON.parse(text) as { reconciliation: { unexplained_usd: string } }).reconciliation.unexplained_usd;
}
