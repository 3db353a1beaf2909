import { createHash } from 'node:crypto';
import { foldBatch, periodStart, type SeriesBounds, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import type { DatabaseLog } from '../../postgres/database-log';
import { createDecidedBounds } from '../bounds/create-decided-bounds';
import { writeEvents, type CountableEvent } from '../counting/write-events';
import { writeLimitUsage } from '../counting/write-limit-usage';
import { createSeriesDirectory } from '../rollups/series-directory';
import { writeRollups } from '../rollups/write-rollups';
import type { PlannedCorrection } from './plan-page';
import { writeCorrectionNotes, type CorrectionFacts } from './write-corrections';

/**
 * Writes corrections of one organization and what they add up to, in the caller's transaction: beside their events, into the
 * same series of the same hours, into months, spend, limits whose window still runs, and the ledger. In the order in which
 * aggregators take the same rows.
 */
export async function countCorrections(
  client: PoolClient,
  planned: readonly PlannedCorrection[],
  { log, ...facts }: CorrectionFacts & { readonly log: DatabaseLog },
): Promise<{ readonly loweredPico: bigint }> {
  if (planned.length === 0) return { loweredPico: 0n };
  const countable = planned.map((one) => toCountable(one, facts.rerateId));
  const events = countable.map(({ decoded }) => decoded);
  const folded = foldBatch(events, await openBounds(client, facts.organizationId, events));
  const seriesIds = await createSeriesDirectory().resolve(client, folded.series);
  await writeEvents(client, countable);
  await writeRollups(client, folded, seriesIds);
  const lowered = await writeCorrectionNotes(client, facts, events);
  await writeLimitUsage(client, events, { now: () => facts.nowMs, log });
  return lowered;
}

/** Its place in a sequence of its own is made of its id: a second one of the same event cannot be written. */
function toCountable({ correction, admittedAtMs, isTimeClamped }: PlannedCorrection, rerateId: string): CountableEvent {
  const sequence = createHash('sha256').update(correction.event_id).digest().readBigUInt64BE() >> 2n;
  const payload = JSON.stringify(correction);
  const decoded = { kind: 'event' as const, event: correction, admittedAtMs, isTimeClamped, payload };
  return { place: { writerId: rerateId, epoch: 0, sequence, isPlaced: true, payload, decoded }, decoded };
}

/** What counting decided for the events themselves holds for what corrects them. */
async function openBounds(client: PoolClient, organizationId: string, events: readonly TimedUsageEvent[]): Promise<SeriesBounds> {
  const byHour = new Map<number, TimedUsageEvent[]>();
  for (const event of events) {
    const hourMs = periodStart('hour', event.admittedAtMs);
    byHour.set(hourMs, [...(byHour.get(hourMs) ?? []), event]);
  }
  const bounds = new Map<number, SeriesBounds>();
  for (const [hourMs, ofHour] of byHour) bounds.set(hourMs, await createDecidedBounds({ organizationId, hourMs }).open(client, ofHour));
  return {
    boundExtra: (id, atMs, extra) => bounds.get(periodStart('hour', atMs))?.boundExtra(id, atMs, extra) ?? extra,
    hasCapacity: (id, hourMs, identity) => bounds.get(hourMs)?.hasCapacity(id, hourMs, identity) ?? true,
  };
}
