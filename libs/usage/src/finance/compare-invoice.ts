import { parseUsd } from '@weir/pricing';
import { DAY_MS } from '../period-key';

/** Pico-dollars by UTC day, as the epoch milliseconds of its start. */
export type DayCosts = ReadonlyMap<number, bigint>;

export type ComparedCost = {
  readonly invoicedPico: bigint;
  readonly countedPico: bigint;
  /** What is invoiced beyond what was counted. */
  readonly differencePico: bigint;
  readonly isWithin: boolean;
};

type ComparedInvoice = ComparedCost & {
  readonly startMs: number;
  readonly endMs: number;
  /** Days that differ by more than is tolerated, the largest difference first. */
  readonly differing: readonly (ComparedCost & { readonly dayMs: number })[];
};

const LINE = /^(\d{4}-\d{2}-\d{2})\s*[,;\t]\s*(-?\d+(?:\.\d+)?)$/;
const CENT_PICO = 10n ** 10n;
const DIFFERENCE_MAX_PICO = 500n * CENT_PICO;
/** 0.5 %. */
const SHARE_OF = 200n;

/**
 * Reads what a provider bills, a line a day: `2026-10-07,12.34`, in UTC and USD. Lines of one day add up, as those of several
 * accounts do; a first line that is no such line is a heading. Throws RangeError naming the line that cannot be read.
 */
export function parseInvoice(text: string): DayCosts {
  const costs = new Map<number, bigint>();
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    const [, day, amount] = LINE.exec(line) ?? [];
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    if (line === '' || (index === 0 && day === undefined)) return;
    if (day === undefined || amount === undefined || !isCalendarDay(day, dayMs))
      throw new RangeError(`line ${index + 1} is not a day and an amount such as 2026-10-07,12.34`);
    costs.set(dayMs, (costs.get(dayMs) ?? 0n) + parseUsd(amount));
  });
  if (costs.size === 0) throw new RangeError('there is no day in it');
  return costs;
}

/** The 31st of a short month is read as the first of the next. */
function isCalendarDay(day: string, dayMs: number): boolean {
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
}

/** The stretch that an invoice is about: from its first day to its last. */
export function findInvoiceRange(invoiced: DayCosts): { readonly startMs: number; readonly endMs: number } {
  const days = [...invoiced.keys()].sort((a, b) => a - b);
  return { startMs: days[0] ?? 0, endMs: (days.at(-1) ?? 0) + DAY_MS };
}

/**
 * Compares day by day what a provider bills with what was counted. Tolerated is half a percent, or a cent where that is
 * more, and never more than five dollars: requests around midnight fall into one day here and into another there.
 */
export function compareInvoice(invoiced: DayCosts, counted: DayCosts): ComparedInvoice {
  const { startMs, endMs } = findInvoiceRange(invoiced);
  const days: (ComparedCost & { readonly dayMs: number })[] = [];
  for (let dayMs = startMs; dayMs < endMs; dayMs += DAY_MS)
    days.push({ dayMs, ...compareCosts(invoiced.get(dayMs) ?? 0n, counted.get(dayMs) ?? 0n) });
  const sum = (pick: (day: ComparedCost) => bigint): bigint => days.reduce((total, day) => total + pick(day), 0n);
  const differing = days.filter(({ isWithin }) => !isWithin);
  return {
    startMs,
    endMs,
    ...compareCosts(
      sum((day) => day.invoicedPico),
      sum((day) => day.countedPico),
    ),
    differing: differing.sort((a, b) => (sizeOf(a.differencePico) < sizeOf(b.differencePico) ? 1 : -1)),
  };
}

function compareCosts(invoicedPico: bigint, countedPico: bigint): ComparedCost {
  const differencePico = invoicedPico - countedPico;
  const share = sizeOf(invoicedPico) / SHARE_OF;
  const tolerated = share < CENT_PICO ? CENT_PICO : share > DIFFERENCE_MAX_PICO ? DIFFERENCE_MAX_PICO : share;
  return { invoicedPico, countedPico, differencePico, isWithin: sizeOf(differencePico) <= tolerated };
}

function sizeOf(pico: bigint): bigint {
  return pico < 0n ? -pico : pico;
}
