import type { Prisma } from '@weir/database';

type Transaction = Prisma.TransactionClient;
export type MonthCloseRow = Prisma.MonthCloseGetPayload<object>;

/** Months that are closed at this moment, the earliest first. */
export async function listClosedMonths(tx: Transaction, organizationId: string): Promise<MonthCloseRow[]> {
  return tx.monthClose.findMany({ where: { organizationId, reopenedAt: null }, orderBy: { month: 'asc' } });
}

/** The calendar month after a month: `2027-01` after `2026-12`. */
export function monthAfter(month: string): string {
  const [year, at] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, at, 1)).toISOString().slice(0, 7);
}

export function describeClose({ month, figures, closedAt }: MonthCloseRow): object {
  return { month, status: 'closed', closed_at: closedAt.toISOString(), ...(figures as Prisma.JsonObject) };
}
