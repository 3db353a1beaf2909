import { countMissingUsage, readReconciliation, type Prisma } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { loadDayRates } from '../finance/day-rates';
import { monthEnd, monthStart, type Figures } from '../finance/read-figures';
import { invoiceSettingsOf } from '../invoices/invoice-settings';
import { readFinanceDocument } from '../records/finance-documents';
import type { RouteParts } from '../route/management-parts';
import { monthAfter } from '../finance/closed-months';

/** What has to be so before a month is closed. `message` says what it is like where it is not. */
export type CheckedItem = { readonly item: string; readonly ok: boolean; readonly message: string };

/** No request that was admitted in the month runs longer, so that none of its money is held any more. */
const SETTLED_AFTER_MS = 3_600_000;

type Asked = { readonly organizationId: string; readonly month: string; readonly currencies: readonly string[]; readonly figures: Figures };

/** Goes through the checklist, and leaves nothing out when something fails: one look shows all that is open. */
export async function checkMonth(parts: Pick<RouteParts, 'database' | 'now'>, asked: Asked): Promise<CheckedItem[]> {
  const { organizationId, month, figures } = asked;
  const { sums, differences, unexplainedPico } = await readReconciliation(parts.database, { organizationId, monthMs: monthStart(month) });
  const found = await parts.database.asOrganization(organizationId).transact(async (tx) => ({
    ...(await countMissingUsage(tx)),
    rerates: await tx.rerateOrganization.count({ where: { organizationId, state: { notIn: ['done', 'refused'] } } }),
    days: await findDaysWithoutRate(tx, asked),
  }));
  const counted = sums.find(({ place }) => place === 'month')?.billedPico ?? 0n;
  const inLines = figures.lines.reduce((sum, { adjusts, billedPico }) => (adjusts === null ? sum + billedPico : sum), 0n);
  const settledMs = monthEnd(month) + SETTLED_AFTER_MS;
  return [
    check('month_over', parts.now() >= monthEnd(month), `${month} runs until ${iso(monthEnd(month))}.`),
    checkOrder(month, figures),
    check(
      'requests_settled',
      parts.now() >= settledMs,
      `Requests of the last hour of ${month} may still run: money is held for them until ${iso(settledMs)} at most.`,
    ),
    check(
      'journals_whole',
      found.gaps === 0,
      `${found.gaps} journals have a hole: usage is missing. The operator sees which with \`weir usage writers\`.`,
    ),
    check(
      'dead_letters',
      found.deadLetters === 0,
      `${found.deadLetters} usage events wait to be counted. The operator sees them with \`weir usage letters\`.`,
    ),
    check(
      'sums_explained',
      unexplainedPico === 0n,
      `${formatUsd(unexplainedPico)} USD are unexplained, in ${differences.length} comparisons of \`GET /v1/manage/reconciliation?month=${month}\`.`,
    ),
    check(
      'rerates_finished',
      found.rerates === 0,
      `${found.rerates} re-ratings have not finished. The operator goes on with \`weir usage rerate\`.`,
    ),
    check('rates_loaded', found.days.length === 0, `There is no exchange rate for ${found.days.join(', ')}. The operator has to load it.`),
    check(
      'nothing_counted_meanwhile',
      counted === inLines,
      `Usage was counted while the month was added up (${formatUsd(counted - inLines)} USD). Try again.`,
    ),
  ];
}

function check(item: string, ok: boolean, otherwise: string): CheckedItem {
  return { item, ok, message: ok ? '' : otherwise };
}

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Months are closed one after the other: what comes late has exactly one open month to go to. */
function checkOrder(month: string, { closedMonths }: Figures): CheckedItem {
  const last = closedMonths.at(-1);
  const next = last === undefined ? month : monthAfter(last);
  return check('months_before_closed', month === next, `The next month to close is ${next}.`);
}

/** Days with usage, with the currency; the first three of each. */
async function findDaysWithoutRate(tx: Prisma.TransactionClient, { organizationId, month, currencies, figures }: Asked): Promise<string[]> {
  const { document } = await readFinanceDocument(tx, invoiceSettingsOf(organizationId));
  const wanted = [...new Set([...currencies, ...(document.currency === undefined ? [] : [document.currency])])].sort();
  const days = [...new Set(figures.lines.map(({ day }) => day))].sort();
  const startMs = Math.min(monthStart(month), ...days.slice(0, 1).map((day) => Date.parse(day)));
  const missing: string[] = [];
  for (const currency of wanted) {
    const rates = await loadDayRates(tx, { currency, startMs, endMs: monthEnd(month) });
    const without = days.filter((day) => rates.look(day) === undefined);
    missing.push(...without.slice(0, 3).map((day) => `${currency} on ${day}`));
  }
  return missing;
}
