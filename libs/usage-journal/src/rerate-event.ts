import type { PriceSheet, UsageEvent } from '@weir/contracts';
import { priceAttempt } from './price-attempt';
import { readUnits } from './read-units';

const KEPT_UNITS = new Set(['input_token', 'input_image_token', 'output_token', 'output_image_token', 'image', 'character', 'second']);

/**
 * What an event costs by a price sheet, worked out from nothing but its units. By the sheet of its own `price_version` it is
 * `cost_p`, to the last digit: so any bill can be checked, and what was charged by a wrong price can be charged again.
 * Throws when the sheet prices nothing of what was used, or by units that events do not keep apart.
 */
export function rerateEvent({ units, unit_source: source }: Pick<UsageEvent, 'units' | 'unit_source'>, sheet: PriceSheet): bigint {
  if (Object.values(units).every((count) => count === 0)) return 0n;
  const unkept = sheet.kind === 'chat' ? undefined : Object.keys(sheet.units).find((unit) => !KEPT_UNITS.has(unit));
  if (unkept !== undefined) throw new RangeError(`events do not keep the unit ${unkept}`);
  const { usage, measured } = readUnits(units, source);
  return priceAttempt(sheet, usage, measured);
}
