import { decodeLine, encodeLine, type EncodedLine, type PricedLine } from '@weir/finance';
import type { Prisma } from '../generated/prisma/client';

type Transaction = Prisma.TransactionClient;

/** So many lines go in one statement. */
const LINES_PER_STATEMENT = 5_000;

/** Keeps what a month was closed with. */
export async function writeClosedLines(
  tx: Transaction,
  { organizationId, closeId, lines }: { readonly organizationId: string; readonly closeId: string; readonly lines: readonly PricedLine[] },
): Promise<void> {
  for (let from = 0; from < lines.length; from += LINES_PER_STATEMENT) {
    const some = JSON.stringify(lines.slice(from, from + LINES_PER_STATEMENT).map(encodeLine));
    await tx.$executeRaw`INSERT INTO month_close_line (organization_id, close_id, ordinal, line)
      SELECT ${organizationId}::uuid, ${closeId}::uuid, ${from}::int + kept.ordinal::int, kept.line
      FROM jsonb_array_elements(${some}::jsonb) WITH ORDINALITY AS kept(line, ordinal)`;
  }
}

/** In the order in which they were kept. */
export async function readClosedLines(tx: Transaction, organizationId: string, closeIds: readonly string[]): Promise<PricedLine[]> {
  const rows = await tx.monthCloseLine.findMany({
    where: { organizationId, closeId: { in: [...closeIds] } },
    orderBy: [{ closeId: 'asc' }, { ordinal: 'asc' }],
    select: { line: true },
  });
  return rows.map(({ line }) => decodeLine(line as unknown as EncodedLine));
}

/** What keeps usage of any organization from being whole: journals with holes, and events that wait to be counted. */
export async function countMissingUsage(tx: Transaction): Promise<{ readonly gaps: number; readonly deadLetters: number }> {
  const [found] = await tx.$queryRaw<{ gaps: number; letters: number }[]>`SELECT
    (SELECT count(*)::int FROM usage_writer WHERE first_gap_at < now() - interval '2 minutes') AS gaps,
    (SELECT count(*)::int FROM usage_dead_letter WHERE replayed_at IS NULL AND dismissed_at IS NULL) AS letters`;
  return { gaps: found?.gaps ?? 0, deadLetters: found?.letters ?? 0 };
}
