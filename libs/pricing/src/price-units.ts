import type { UnitPriceSheet } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet } from './compile-price-sheet';
import { numberToDecimalText, parseDecimal } from './decimal';
import { divideHalfEven } from './divide-half-even';

/** Holds all 17 digits of any measured quantity down to 1e-23, so that the quantity itself is never rounded. */
const QUANTITY_PLACES = 40;
const FRACTIONS_PER_UNIT = 10n ** BigInt(QUANTITY_PLACES);

/**
 * What one attempt of the other modalities costs, in pico-dollars, rounded once, half-even. Callers pass all they measured:
 * the sheet decides which of the units are charged for. Quantities may be fractions (7.32 seconds).
 * Throws when nothing the sheet prices was measured: a misspelt unit must not make a request free.
 */
export function priceUnits(sheet: UnitPriceSheet, units: Readonly<Record<string, number>>): bigint {
  const prices = compilePriceSheet(sheet).units;
  let wholeAtto = 0n;
  let fractionalAtto = 0n;
  let isPriced = false;
  for (const unit in units) {
    const price = prices.get(unit);
    const quantity = units[unit];
    if (price === undefined || quantity === undefined) continue;
    if (!(quantity >= 0)) throw new RangeError(`the quantity of ${unit} is not a count`);
    isPriced = true;
    if (Number.isSafeInteger(quantity)) wholeAtto += BigInt(quantity) * price;
    else fractionalAtto += parseDecimal(numberToDecimalText(quantity), QUANTITY_PLACES) * price;
  }
  if (!isPriced) throw new RangeError('no measured unit has a price');
  if (fractionalAtto === 0n) return divideHalfEven(wholeAtto, ATTO_PER_PICO);
  return divideHalfEven(wholeAtto * FRACTIONS_PER_UNIT + fractionalAtto, ATTO_PER_PICO * FRACTIONS_PER_UNIT);
}
