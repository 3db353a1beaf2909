// This library turns usage and prices into exact integer pico-dollars.
export { compilePriceSheet, type CompiledTier, ATTO_PER_PICO } from './compile-price-sheet';
export { parseDecimal } from './decimal';
export { divideHalfEven } from './divide-half-even';
export { itemizeUsage, type PriceLine } from './itemize-usage';
export { priceUnits } from './price-units';
export { priceUsage } from './price-usage';
export { formatUsd, parseUsd, usdNumberToPico } from './usd';
