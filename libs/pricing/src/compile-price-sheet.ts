import type { ChatPriceSheet, PriceSheet, UnitPriceSheet } from '@weir/contracts';
import { parseDecimal } from './decimal';

/** Prices of one tier in atto-dollars (1e-18 USD) per token: every catalogue price is a whole number of them. */
export type CompiledTier = {
  readonly threshold: number;
  readonly input: bigint;
  readonly output: bigint;
  readonly cachedRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  /** What text costs, where audio has no price of its own. */
  readonly audioInput: bigint;
  readonly audioOutput: bigint;
};
export type CompiledChatPrices = {
  readonly kind: 'chat';
  readonly version: string;
  /** Lowest threshold first. */
  readonly tiers: readonly CompiledTier[];
  readonly search: bigint;
  /** What the least search costs, where these have no fee of their own. */
  readonly searchMedium: bigint;
  readonly searchHigh: bigint;
};
type CompiledUnitPrices = {
  readonly kind: 'units';
  readonly version: string;
  readonly units: ReadonlyMap<string, bigint>;
};

/** One price is 1e-18 USD at least, and one pico-dollar is this many of them. */
export const ATTO_PER_PICO = 1_000_000n;
const ATTO_PLACES = 18;

// Sheets are never changed once made, so remembering by identity cannot go stale, and a dropped sheet is forgotten.
const compiledSheets = new WeakMap<PriceSheet, CompiledChatPrices | CompiledUnitPrices>();

/** The sheet's decimal texts as bigints, worked out once per sheet object. */
export function compilePriceSheet(sheet: ChatPriceSheet): CompiledChatPrices;
export function compilePriceSheet(sheet: UnitPriceSheet): CompiledUnitPrices;
export function compilePriceSheet(sheet: PriceSheet): CompiledChatPrices | CompiledUnitPrices;
export function compilePriceSheet(sheet: PriceSheet): CompiledChatPrices | CompiledUnitPrices {
  const known = compiledSheets.get(sheet);
  if (known !== undefined) return known;
  const compiled = sheet.kind === 'chat' ? compileChat(sheet) : compileUnits(sheet);
  compiledSheets.set(sheet, compiled);
  return compiled;
}

function compileChat(sheet: ChatPriceSheet): CompiledChatPrices {
  const tiers = sheet.tiers.map((tier) => ({
    threshold: tier.threshold,
    input: toAtto(tier.input),
    output: toAtto(tier.output),
    cachedRead: toAtto(tier.cachedRead),
    cacheWrite5m: toAtto(tier.cacheWrite5m),
    cacheWrite1h: toAtto(tier.cacheWrite1h),
    audioInput: toAtto(tier.audioInput ?? tier.input),
    audioOutput: toAtto(tier.audioOutput ?? tier.output),
  }));
  tiers.sort((a, b) => a.threshold - b.threshold);
  const search = toAtto(sheet.search ?? '0');
  const ofSize = (price: string | undefined): bigint => (price === undefined ? search : toAtto(price));
  const { searchMedium, searchHigh } = sheet;
  return { kind: 'chat', version: sheet.version, tiers, search, searchMedium: ofSize(searchMedium), searchHigh: ofSize(searchHigh) };
}

function compileUnits(sheet: UnitPriceSheet): CompiledUnitPrices {
  const units = new Map<string, bigint>();
  for (const [unit, price] of Object.entries(sheet.units)) units.set(unit, toAtto(price));
  return { kind: 'units', version: sheet.version, units };
}

function toAtto(price: string): bigint {
  const atto = parseDecimal(price, ATTO_PLACES);
  if (atto < 0n) throw new RangeError('a price is negative');
  return atto;
}
