import type { UsageEvent } from '@weir/contracts';
import { compareLimitUsage, type Database } from '@weir/database';

type Pool = Database['pool'];

type Limit = { readonly id: string; readonly name: string; readonly measure: string; readonly max: bigint };

const PICO_PER_USD = 1e12;
/** Events say when an attempt began and how long it took in whole milliseconds. */
const ROUNDED_MS = 2;

/** I7: no limit is overspent, each has counted what its events add up to, and never did more run at a time than it allows. */
export async function checkLimits(pool: Pool, events: readonly UsageEvent[]): Promise<readonly string[]> {
  const differences = (await compareLimitUsage(pool)).map(
    ({ scope, counted, used }) => `I7: ${scope} has counted ${counted}, its events add up to ${used}`,
  );
  const used = await readCounted(pool);
  const overspent = (await readLimits(pool)).flatMap(({ id, name, measure, max }) => {
    const taken = isConcurrent(measure) ? BigInt(countAtOnce(eventsOf(events, id))) : (used.get(id) ?? 0n);
    return taken <= max ? [] : [`I7: ${taken} ${measure} of the limit "${name}" of ${max}`];
  });
  return [...differences, ...overspent];
}

/** What each limit has counted in the fullest of its windows and partitions. */
export async function readCounted(pool: Pool): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await pool.query<{ id: string; used: string }>(
    'SELECT limit_id AS id, max(used)::text AS used FROM limit_usage GROUP BY limit_id',
  );
  return new Map(rows.map(({ id, used }) => [id, BigInt(used)]));
}

/** Those that refuse; no others are made here. */
async function readLimits(pool: Pool): Promise<readonly Limit[]> {
  const { rows } = await pool.query<{ id: string; name: string; document: { measure: string; amount: string } }>(
    "SELECT id, name, document FROM organization_rule WHERE kind = 'limit'",
  );
  return rows.map(({ id, name, document: { measure, amount } }) => {
    return { id, name, measure, max: measure === 'usd' ? BigInt(Math.round(Number(amount) * PICO_PER_USD)) : BigInt(amount) };
  });
}

function isConcurrent(measure: string): boolean {
  return measure.startsWith('concurrent_');
}

function eventsOf(events: readonly UsageEvent[], limitId: string): readonly UsageEvent[] {
  return events.filter((event) => event.hold_scopes.some((scope) => scope.startsWith(`limit:${limitId}:`)));
}

/** How many attempts ran at the same time. How long one took that died with its process is not known: it is left out. */
export function countAtOnce(events: readonly Pick<UsageEvent, 'ended_at' | 'dur_ms'>[]): number {
  const moments = events
    .filter((event) => event.dur_ms > 2 * ROUNDED_MS)
    .flatMap(({ ended_at: endedAt, dur_ms: durationMs }) => [
      { atMs: endedAt - durationMs + ROUNDED_MS, change: 1 },
      { atMs: endedAt - ROUNDED_MS, change: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs || a.change - b.change);
  let running = 0;
  return moments.reduce((most, { change }) => Math.max(most, (running += change)), 0);
}
