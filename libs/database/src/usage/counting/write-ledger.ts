import { createHash, randomUUID } from 'node:crypto';
import { periodStart, type BilledHour, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { burnCredits, lockCredits, saveCredits, type OpenCredit } from '../../ledger/burn-credits';
import { readOpenings } from '../../ledger/prepaid-opening';
import { writePostings, type PostingLine } from '../../ledger/write-postings';
import type { FreshSequences } from './mark-seen';

type BilledBatch = {
  readonly billed: readonly BilledHour[];
  /** What `billed` adds up. */
  readonly events: readonly TimedUsageEvent[];
  readonly fresh: readonly FreshSequences[];
};

/**
 * Posts what organizations owe for a batch: out of their gifts, promotions and cash, into their usage, one transaction
 * per hour. What was admitted before their balance began is left out of it. The key names the events that are paid for, so
 * nothing can be posted twice even if all else failed.
 */
export async function writeLedger(client: PoolClient, { billed, events, fresh }: BilledBatch): Promise<void> {
  if (billed.length === 0) return;
  const digest = createHash('sha256')
    .update(JSON.stringify(fresh.map(({ writerId, ranges }) => [writerId, ranges])))
    .digest('hex')
    .slice(0, 32);
  const organizationIds = [...new Set(billed.map(({ organizationId }) => organizationId))];
  const openings = await readOpenings(client, organizationIds);
  const outside = sumOutside(events, openings);
  const credits = await lockCredits(client, organizationIds);
  const hours = [...billed].sort((a, b) => a.hourMs - b.hourMs);
  const postings = hours.map((row) => ({
    txId: randomUUID(),
    organizationId: row.organizationId,
    idempotencyKey: `usage:${row.organizationId}:${row.hourMs / 1000}:${digest}`,
    kind: 'usage_hour' as const,
    ref: null,
    effectiveAtMs: row.hourMs,
    lines: planLines(credits, row, outside.get(hourKey(row.organizationId, row.hourMs)) ?? 0n),
  }));
  await writePostings(client, postings);
  await saveCredits(client, credits);
}

export const hourKey = (organizationId: string, hourMs: number): string => `${organizationId} ${hourMs}`;

/** By organization and hour, what of a batch was admitted before the organization's balance began. */
export function sumOutside(events: readonly TimedUsageEvent[], openings: ReadonlyMap<string, number>): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  if (openings.size === 0) return sums;
  for (const { event, admittedAtMs } of events) {
    const openedAtMs = openings.get(event.org_id);
    if (openedAtMs === undefined || admittedAtMs >= openedAtMs) continue;
    const billedPico = BigInt(event.billed_p);
    if (billedPico === 0n) continue;
    const key = hourKey(event.org_id, periodStart('hour', admittedAtMs));
    sums.set(key, (sums.get(key) ?? 0n) + billedPico);
  }
  return sums;
}

function planLines(credits: readonly OpenCredit[], hour: BilledHour, outsidePico: bigint): PostingLine[] {
  if (outsidePico === 0n) return burnCredits(credits, hour);
  const { organizationId, hourMs, billedPico } = hour;
  const counted = burnCredits(credits, { organizationId, hourMs, billedPico: billedPico - outsidePico });
  return [
    ...counted.filter(({ account }) => account !== 'usage'),
    { account: 'outside', pico: -outsidePico },
    { account: 'usage', pico: billedPico },
  ];
}
