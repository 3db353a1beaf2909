import { createHash, randomUUID } from 'node:crypto';
import type { BilledHour } from '@weir/usage';
import type { PoolClient } from 'pg';
import { burnCredits, lockCredits, saveCredits } from '../ledger/burn-credits';
import { writePostings } from '../ledger/write-postings';
import type { FreshSequences } from './mark-seen';

/**
 * Posts what organizations owe for a batch: out of their gifts, promotions and cash, into their usage, one transaction
 * per hour. The key names the events that are paid for, so nothing can be posted twice even if all else failed.
 */
export async function writeLedger(client: PoolClient, billed: readonly BilledHour[], fresh: readonly FreshSequences[]): Promise<void> {
  if (billed.length === 0) return;
  const digest = createHash('sha256')
    .update(JSON.stringify(fresh.map(({ writerId, ranges }) => [writerId, ranges])))
    .digest('hex')
    .slice(0, 32);
  const credits = await lockCredits(client, [...new Set(billed.map(({ organizationId }) => organizationId))]);
  const hours = [...billed].sort((a, b) => a.hourMs - b.hourMs);
  const postings = hours.map((row) => ({
    txId: randomUUID(),
    organizationId: row.organizationId,
    idempotencyKey: `usage:${row.organizationId}:${row.hourMs / 1000}:${digest}`,
    kind: 'usage_hour' as const,
    ref: null,
    effectiveAtMs: row.hourMs,
    lines: burnCredits(credits, row),
  }));
  await writePostings(client, postings);
  await saveCredits(client, credits);
}
