import { createHash, randomUUID } from 'node:crypto';
import { periodStart, type TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { burnCredits, saveCredits } from '../../ledger/burn-credits';
import { giveBackCredits, lockGivenCredits, readPaidHours, type GivenCredit, type PaidHours } from '../../ledger/give-back-credits';
import { readOpenings } from '../../ledger/prepaid-opening';
import { writePostings, type Posting, type PostingLine } from '../../ledger/write-postings';
import { hourKey, sumOutside } from '../counting/write-ledger';

/** What corrections of one organization belong to. */
export type CorrectionFacts = {
  readonly organizationId: string;
  readonly rerateId: string;
  readonly because: string;
  /** When the re-rating began: all that it posts takes effect then. */
  readonly startedAtMs: number;
  readonly nowMs: number;
};

type CorrectedHour = { readonly hourMs: number; readonly billedPico: bigint; readonly outsidePico: bigint };

/**
 * Posts what corrections change of what an organization owes: a credit note where it owes less, a debit note where it owes
 * more, one transaction for each hour of usage. Returns by how much the accounts of usage went down. The key names the
 * corrections, so nothing can be posted twice even if all else failed.
 */
export async function writeCorrectionNotes(
  client: PoolClient,
  facts: CorrectionFacts,
  corrections: readonly TimedUsageEvent[],
): Promise<{ readonly loweredPico: bigint }> {
  const { organizationId } = facts;
  const openings = await readOpenings(client, [organizationId]);
  const hours = addUpHours(organizationId, corrections, sumOutside(corrections, openings));
  if (hours.length === 0) return { loweredPico: 0n };
  const credits = await lockGivenCredits(client, organizationId);
  const hoursMs = hours.map(({ hourMs }) => hourMs);
  const paid = await readPaidHours(client, organizationId, hoursMs);
  const digest = digestOf(corrections);
  const postings = hours.map((hour): Posting => {
    const key = `rerate:${facts.rerateId}:${organizationId}:${hour.hourMs / 1000}:${digest}`;
    return {
      txId: randomUUID(),
      organizationId,
      idempotencyKey: key,
      kind: 'price_correction',
      ref: facts.because,
      effectiveAtMs: facts.startedAtMs,
      usageHourMs: hour.hourMs,
      lines: planLines(credits, hour, { paid, facts }),
    };
  });
  await writePostings(client, postings);
  await saveCredits(client, credits);
  return { loweredPico: postings.flatMap(({ lines }) => lines).reduce((sum, line) => sum + loweredBy(line), 0n) };
}

function addUpHours(
  organizationId: string,
  corrections: readonly TimedUsageEvent[],
  outside: ReadonlyMap<string, bigint>,
): CorrectedHour[] {
  const billed = new Map<number, bigint>();
  for (const { event, admittedAtMs } of corrections) {
    const hourMs = periodStart('hour', admittedAtMs);
    billed.set(hourMs, (billed.get(hourMs) ?? 0n) + BigInt(event.billed_p));
  }
  const hours = [...billed].map(([hourMs, billedPico]) => {
    return { hourMs, billedPico, outsidePico: outside.get(hourKey(organizationId, hourMs)) ?? 0n };
  });
  return hours.filter(({ billedPico, outsidePico }) => billedPico !== 0n || outsidePico !== 0n).sort((a, b) => a.hourMs - b.hourMs);
}

/** What was admitted before the balance began never touches it, neither way. */
function planLines(
  credits: readonly GivenCredit[],
  { hourMs, billedPico, outsidePico }: CorrectedHour,
  { paid, facts: { organizationId, nowMs } }: { readonly paid: PaidHours; readonly facts: CorrectionFacts },
): PostingLine[] {
  const countedPico = billedPico - outsidePico;
  const own =
    countedPico < 0n
      ? giveBackCredits(credits, { hourMs, pico: -countedPico, paid, nowMs })
      : burnCredits(credits, { organizationId, hourMs, billedPico: countedPico }).filter(({ account }) => account !== 'usage');
  const lines: PostingLine[] = [...own, { account: 'outside', pico: -outsidePico }, { account: 'usage', pico: billedPico }];
  return lines.filter(({ pico }) => pico !== 0n);
}

/** `usage` is above zero and `outside` below. */
function loweredBy({ account, pico }: PostingLine): bigint {
  if (account === 'usage' && pico < 0n) return -pico;
  return account === 'outside' && pico > 0n ? pico : 0n;
}

function digestOf(corrections: readonly TimedUsageEvent[]): string {
  const ids = corrections.map(({ event }) => event.event_id).sort();
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex').slice(0, 32);
}
