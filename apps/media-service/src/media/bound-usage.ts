import { measuredUnits, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt, PassportHold } from '@weir/contracts';
import { priceAttempt, type MeasuredUnits } from '@weir/meter';

/** What usage is priced by, and the money that was set aside for it. */
export type UsageBound = {
  readonly attempt: Attempt;
  /** Null where nothing limits the request. */
  readonly hold: Pick<PassportHold, 'reservedPico'> | null;
  /** The unit that pictures are charged by, where it is not the plain one. */
  readonly imageUnit?: string | undefined;
};

const MS_PER_SECOND = 1000;

/** Usage in the units of a price sheet. */
export function measureUsage(usage: MediaUsage, { attempt, imageUnit = 'image' }: Omit<UsageBound, 'hold'>): MeasuredUnits {
  const { image, ...measured } = measuredUnits(usage, pricedUnits(attempt));
  return { ...measured, ...(image === undefined ? {} : { [imageUnit]: image }) };
}

/**
 * Usage that we counted or estimated, cut to what the hold pays for, all of it in the same proportion; reported usage
 * stays as it is. Returns the same object where nothing has to be cut.
 */
export function boundUsage(usage: MediaUsage, bound: UsageBound): MediaUsage {
  const { attempt, hold } = bound;
  if (hold === null || usage.source === 'provider') return usage;
  const measured = measureUsage(usage, bound);
  if (!Object.keys(measured).some((unit) => Object.hasOwn(pricedUnits(attempt), unit))) return usage;
  const costPico = priceAttempt(attempt.prices, tokenUsage(usage), measured);
  const heldPico = BigInt(hold.reservedPico);
  return costPico <= heldPico ? usage : scaleUsage(usage, heldPico, costPico);
}

/** Rounded down, count by count, so that together they are never worth more than the share. */
function scaleUsage(
  { source: _source, isDoubtful: _isDoubtful, seconds, ...counts }: MediaUsage,
  heldPico: bigint,
  costPico: bigint,
): MediaUsage {
  const share = (count: number): number => Number((BigInt(Math.round(count)) * heldPico) / costPico);
  const scaled = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, share(count)])) as typeof counts;
  return { ...scaled, seconds: share(seconds * MS_PER_SECOND) / MS_PER_SECOND, source: 'estimate' };
}

export function pricedUnits({ prices }: Attempt): Readonly<Record<string, string>> {
  return prices.kind === 'units' ? prices.units : {};
}
