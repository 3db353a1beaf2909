import type { ChatPriceSheet, PriceSheet, UnitPriceSheet, UsageUnits } from '@weir/contracts';
import { ATTO_PER_PICO, compilePriceSheet, type CompiledChatPrices } from './compile-price-sheet';
import { divideHalfEven } from './divide-half-even';
import { pickTier } from './pick-tier';

/** One kind of unit that an attempt is charged for. All are decimal text; `amount` is exactly `quantity` × `price`, in USD. */
export type PriceLine = { readonly unit: string; readonly quantity: string; readonly price: string; readonly amount: string };

/** Thousandths of a unit, because sound is kept by the millisecond. */
type Charge = { readonly unit: string; readonly milli: bigint; readonly atto: bigint };

const MILLI = 1000n;

/**
 * The lines that a cost is the sum of, rounded once to a pico-dollar, half-even. Null where they do not add up to it: what
 * events keep then does not say all that was charged by, and lines that prove nothing are worse than none.
 */
export function itemizeUsage(sheet: PriceSheet, units: UsageUnits, costPico: bigint): readonly PriceLine[] | null {
  // What used nothing, or failed, is not charged.
  if (costPico === 0n && Object.values(units).every((count) => count === 0)) return [];
  const ways = sheet.kind === 'chat' ? [listChatCharges(sheet, units)] : listWaysToCharge(sheet, units);
  const charges = ways.find((way) => addUp(way) === costPico);
  return charges?.filter(({ milli }) => milli > 0n).map(toLine) ?? null;
}

function addUp(charges: readonly Charge[]): bigint {
  return divideHalfEven(
    charges.reduce((sum, { milli, atto }) => sum + milli * atto, 0n),
    MILLI * ATTO_PER_PICO,
  );
}

function listChatCharges(sheet: ChatPriceSheet, units: UsageUnits): Charge[] {
  const prices = compilePriceSheet(sheet);
  const tier = pickTier(prices, promptTokens(units));
  return [
    ...splitAudio('input', [units.in, units.audio_in], [tier.input, tier.audioInput]),
    charge('cached_input', units.cached_in, tier.cachedRead),
    charge('cache_write_5m', units.cache_w5m, tier.cacheWrite5m),
    charge('cache_write_1h', units.cache_w1h, tier.cacheWrite1h),
    ...splitAudio('output', [units.out, units.audio_out], [tier.output, tier.audioOutput]),
    ...splitSearches(units, prices),
  ];
}

/** Audio is part of its bucket, and a line of its own where it has a price of its own. */
function splitAudio(unit: string, [all, audio]: readonly [number, number], [price, audioPrice]: readonly [bigint, bigint]): Charge[] {
  if (price === audioPrice) return [charge(unit, all, price)];
  const ofAudio = Math.min(audio, all);
  return [charge(unit, all - ofAudio, price), charge(`audio_${unit}`, ofAudio, audioPrice)];
}

/** Each size is a line of its own where it has a fee of its own. */
function splitSearches({ searches, searches_medium = 0, searches_high = 0 }: UsageUnits, prices: CompiledChatPrices): Charge[] {
  const high = Math.min(searches_high, searches);
  const medium = Math.min(searches_medium, searches - high);
  return [
    charge('search', searches - high - medium, prices.search),
    charge('search_medium', medium, prices.searchMedium),
    charge('search_high', high, prices.searchHigh),
  ];
}

/** Images of a special quality and size have a price of their own, and events keep only how many there were. */
function listWaysToCharge(sheet: UnitPriceSheet, units: UsageUnits): Charge[][] {
  const prices = compilePriceSheet(sheet).units;
  const imageUnits = [...prices.keys()].filter((unit) => /^image(:|$)/.test(unit));
  const charges = listMeasured(units).flatMap(([unit, milli]) => {
    const atto = prices.get(unit);
    return atto === undefined ? [] : [{ unit, milli, atto }];
  });
  if (imageUnits.length === 0 || units.images === 0) return [charges];
  imageUnits.sort((one, other) => one.length - other.length);
  return imageUnits.map((unit) => [...charges, charge(unit, units.images, prices.get(unit) ?? 0n)]);
}

/** By the names that price sheets have for them. */
function listMeasured(units: UsageUnits): [string, bigint][] {
  const { image_in: imageIn, image_out: imageOut } = units;
  const counted: [string, number][] = [
    ['input_token', imageIn === undefined ? promptTokens(units) : units.in - imageIn],
    ['input_image_token', imageIn ?? 0],
    ['output_token', imageOut === undefined ? units.out : units.out - imageOut],
    ['output_image_token', imageOut ?? 0],
    ['character', units.chars],
  ];
  return [...counted.map(([unit, count]): [string, bigint] => [unit, BigInt(count) * MILLI]), ['second', BigInt(units.ms_audio)]];
}

function promptTokens(units: UsageUnits): number {
  return units.in + units.cached_in + units.cache_w5m + units.cache_w1h;
}

function charge(unit: string, count: number, atto: bigint): Charge {
  return { unit, milli: BigInt(count) * MILLI, atto };
}

function toLine({ unit, milli, atto }: Charge): PriceLine {
  return { unit, quantity: toDecimal(milli, 3), price: toDecimal(atto, 18), amount: toDecimal(milli * atto, 21) };
}

function toDecimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
