import type { PriceSheet, UsageEvent } from '@weir/contracts';
import { priceAttempt, type MeasuredUnits } from './price-attempt';
import { readUnits } from './read-units';

/**
 * `not_itemized`: what the event keeps does not say all that it was charged by. `not_priced`: the right price has nothing for
 * what was used.
 */
export type PricedAgain = { readonly costPico: bigint } | { readonly left: 'not_itemized' | 'not_priced' };

type Kept = Pick<UsageEvent, 'units' | 'unit_source'>;
type Prices = { readonly costPico: bigint; readonly was: PriceSheet; readonly is: PriceSheet };

/**
 * What an attempt costs by another price, from what its event keeps and by what priced it first. Nothing is guessed: only
 * where the kept quantities come to exactly what it cost by the price it was charged by, so that nothing else was charged, is
 * it priced again.
 */
export function priceAgain(kept: Kept, { costPico, was, is }: Prices): PricedAgain {
  if (!wasMeasuredFor(is, was)) return { left: 'not_itemized' };
  const ways = listWays(kept, [was, is]).filter((imageUnit) => (priceKept(was, kept, imageUnit) ?? 0n) === costPico);
  const costs = new Set(ways.map((imageUnit) => priceKept(is, kept, imageUnit)));
  if (costs.size !== 1) return { left: 'not_itemized' };
  const [cost] = costs;
  return cost === undefined ? { left: 'not_priced' } : { costPico: cost };
}

const KEPT_ALWAYS = ['input_token', 'output_token'];

/** Of media, only what had a price was measured: what the right price charges besides, no event says. */
function wasMeasuredFor(is: PriceSheet, was: PriceSheet): boolean {
  if (is.kind === 'chat' || was.kind === 'chat') return is.kind === was.kind;
  const measured = new Set([...KEPT_ALWAYS, ...Object.keys(was.units)]);
  return Object.keys(is.units).every((unit) => IMAGE_VARIANT.test(unit) || measured.has(unit));
}

const PLAIN_IMAGE = 'image';
const IMAGE_VARIANT = /^image:/;

/** Events keep how many pictures there were, not their quality and size: each that has a price of its own is tried. */
function listWays({ units }: Kept, sheets: readonly PriceSheet[]): string[] {
  if (units.images === 0) return [PLAIN_IMAGE];
  const priced = sheets.flatMap((sheet) => (sheet.kind === 'units' ? Object.keys(sheet.units) : []));
  return [...new Set([PLAIN_IMAGE, ...priced.filter((unit) => IMAGE_VARIANT.test(unit))])];
}

/** Undefined where the sheet prices nothing of what was used: the meter charges nothing then. */
function priceKept(sheet: PriceSheet, kept: Kept, imageUnit: string): bigint | undefined {
  if (Object.values(kept.units).every((count) => count === 0)) return 0n;
  const { usage, measured } = readUnits(kept.units, kept.unit_source);
  try {
    return priceAttempt(sheet, usage, nameImages(sheet, measured, imageUnit));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As the media service names them: by quality and size where the sheet has a price for these, else plainly. */
function nameImages(sheet: PriceSheet, { image, ...others }: MeasuredUnits, imageUnit: string): MeasuredUnits {
  if (image === undefined) return others;
  const hasOwnPrice = sheet.kind === 'units' && Object.hasOwn(sheet.units, imageUnit);
  return { ...others, [hasOwnPrice ? imageUnit : PLAIN_IMAGE]: image };
}
