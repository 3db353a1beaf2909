import type { CloseMonthBody } from '@weir/contracts';
import { writeClosedLines, type Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { sumAdjustments, sumCostCentres } from '@weir/finance';
import { runChange, type ChangeCaller } from '../changes/run-change';
import { checkCurrency } from '../finance/day-rates';
import { readFigures, type Figures } from '../finance/read-figures';
import { lockFinance } from '../records/finance-documents';
import type { RouteParts } from '../route/management-parts';
import { checkMonth, type CheckedItem } from './check-month';
import { listClosedMonths, type MonthCloseRow } from '../finance/closed-months';

/** Some hundred thousand lines are kept. */
const TIMEOUT_MS = 120_000;

type Looked = { readonly figures: Figures; readonly checklist: readonly CheckedItem[] };

/** What closing a month would find. */
export async function lookAtMonth(
  parts: Pick<RouteParts, 'database' | 'now'>,
  { organizationId, month, currencies }: CloseMonthBody & { readonly organizationId: string },
): Promise<Looked> {
  for (const currency of currencies) checkCurrency(currency);
  const figures = await readFigures(parts, { organizationId, month });
  return { figures, checklist: figures.close === null ? await checkMonth(parts, { organizationId, month, currencies, figures }) : [] };
}

/** The sums of a month as they are kept and shown. */
export function describeFigures({ lines, rulesVersion }: Pick<Figures, 'lines' | 'rulesVersion'>) {
  return { rules_version: rulesVersion, ...sumCostCentres(lines, undefined), adjustments: sumAdjustments(lines, undefined) };
}

/** Throws `conflict` naming everything that is open, or that the month is closed. */
export async function closeMonth(parts: RouteParts, caller: ChangeCaller, body: CloseMonthBody): Promise<MonthCloseRow> {
  const { organizationId } = caller;
  const { month } = body;
  const { figures, checklist } = await lookAtMonth(parts, { ...body, organizationId });
  if (figures.close !== null) throw new GatewayError('conflict', `${month} is closed already.`, { field: 'month' });
  refuseOpen(month, checklist);
  const keep = async (tx: Prisma.TransactionClient) => {
    await lockFinance(tx, organizationId);
    const closed = (await listClosedMonths(tx, organizationId)).map((one) => one.month);
    if (closed.join() !== figures.closedMonths.join())
      throw new GatewayError('conflict', 'Another month was closed or reopened meanwhile. Try again.');
    const described = describeFigures(figures);
    const row = await tx.monthClose.create({
      data: { organizationId, month, figures: described as unknown as Prisma.InputJsonObject, closedAt: new Date(parts.now()) },
    });
    await writeClosedLines(tx, { organizationId, closeId: row.id, lines: figures.lines });
    const after = { month, total: described.total, adjustments: described.adjustments.length, lines: figures.lines.length };
    return { result: row, audit: { targetKind: 'finance' as const, targetId: month, before: null, after }, changed: [] };
  };
  return runChange(parts, caller, keep, { timeoutMs: TIMEOUT_MS });
}

function refuseOpen(month: string, checklist: readonly CheckedItem[]): void {
  const open = checklist.filter(({ ok }) => !ok);
  if (open.length === 0) return;
  const list = open.map(({ item, message }) => `- ${item}: ${message}`).join('\n');
  throw new GatewayError('conflict', `${month} was not closed. Open:\n${list}`, {
    problems: open.map(({ item, message }) => ({ path: item, message })),
  });
}

type Reopening = { readonly month: string; readonly because: string };

/** Only the last month that was closed: what later ones have of it would be counted twice. */
export function reopenMonth(parts: RouteParts, caller: ChangeCaller, { month, because }: Reopening): Promise<MonthCloseRow> {
  const { organizationId } = caller;
  return runChange(parts, caller, async (tx) => {
    await lockFinance(tx, organizationId);
    const last = (await listClosedMonths(tx, organizationId)).at(-1);
    if (last?.month !== month) {
      const message = last === undefined ? 'No month is closed.' : `Only the last month that was closed can be reopened: ${last.month}.`;
      throw new GatewayError('conflict', message, { field: 'month' });
    }
    const row = await tx.monthClose.update({
      where: { id: last.id },
      data: { reopenedAt: new Date(parts.now()), reopenedBecause: because },
    });
    const before = { month, closed_at: last.closedAt.toISOString() };
    return { result: row, audit: { targetKind: 'finance', targetId: month, before, after: { month, because } }, changed: [] };
  });
}
