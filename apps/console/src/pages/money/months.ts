import type { Schemas } from '../../api';
import { parseMoney } from '../../format/money';

export type Reconciliation = Schemas['Reconciliation']['reconciliation'];

export const FORMATS = [
  { format: 'csv', label: 'CSV' },
  { format: 'focus', label: 'FOCUS' },
  { format: 'xlsx', label: 'xlsx' },
] as const;

/** The running month and those before it, newest first, as `2026-11`. */
export function listMonths(nowMs: number, count: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

export function toExportUrl(month: string, format: string): string {
  return `/console/api/v1/manage/org/usage/export?period=${month}&format=${format}`;
}

/** November 2026. */
export function nameMonth(month: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
}

export type Verdict = { readonly kind: 'good' | 'warn' | 'bad'; readonly title: string; readonly text: string };

/** What the report means for somebody who closes the month. The unexplained sum decides first, then what is still to come. */
export function judgeMonth(
  { month, unexplained_usd: unexplained, is_complete: isComplete, differences }: Reconciliation,
  nowMs: number,
): Verdict {
  if (parseMoney(unexplained) !== 0n)
    return {
      kind: 'bad',
      title: 'It does not add up',
      text: 'Part of a difference is unexplained. Inform the operator, and do not book this month.',
    };
  if (!isComplete)
    return {
      kind: 'warn',
      title: 'Not complete',
      text: 'An event is known to be missing or waits to be counted. Look again before you book.',
    };
  if (month >= new Date(nowMs).toISOString().slice(0, 7))
    return {
      kind: 'warn',
      title: 'Still running',
      text: 'Everything so far adds up. The month is not over; its files are marked as not final.',
    };
  const text =
    differences.length === 0
      ? 'Every place has the same sums. It can be booked.'
      : 'The differences below are explained; nothing is missing. It can be booked.';
  return { kind: 'good', title: 'It adds up', text };
}
