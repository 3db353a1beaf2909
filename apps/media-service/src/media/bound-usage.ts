import { measuredUnits, tokenUsage, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { priceAttempt, type MeasuredUnits } from '@weir/meter';
import type { MediaContext } from './media-modality';

/** What usage is priced by, and the money that was set aside for it. */
export type UsageBound = {
  readonly attempt: Attempt;
  /** What is left of it, without what failed attempts are charged. Null where nothing limits the request. */
  readonly heldPico: bigint | null;
  /** The unit that pictures are charged by, where it is not the plain one. */
  readonly imageUnit?: string | undefined;
};

const MS_PER_SECOND = 1000;

/** What the hold of a request still pays for. */
export function findHeldPico({ request, charges }: Pick<MediaContext<unknown>, 'request' | 'charges'>): bigint | null {
  const { hold } = request.forwarded.passport;
  if (hold === null) return null;
  const leftPico = BigInt(hold.reservedPico) - charges.earlierPico;
  return leftPico > 0n ? leftPico : 0n;
}

/** Usage in the units of a price sheet. */
export function measureUsage(usage: MediaUsage, { attempt, imageUnit = 'image' }: Omit<UsageBound, 'heldPico'>): MeasuredUnits {
  const { image, ...measured } = measuredUnits(usage, pricedUnits(attempt));
  return { ...measured, ...(image === undefined ? {} : { [imageUnit]: image }) };
}

/**
 * Usage cut to what the hold pays for, all of it in the same proportion, of any source. What was held covers the most
 * that a report is believed up to, so that a cut means that the request was changed after it was held for, as guardrails do.
 * Returns the same object where nothing has to be cut.
 */
export function boundUsage(usage: MediaUsage, bound: UsageBound): MediaUsage {
  const { attempt, heldPico } = bound;
  if (heldPico === null) return usage;
  if (!isPriced(usage, attempt)) return usage;
  const costPico = priceAttempt(attempt.prices, tokenUsage(usage), measureUsage(usage, bound));
  return costPico <= heldPico ? usage : scaleUsage(usage, heldPico, costPico);
}

/** Whether usage has anything that its model is charged by. */
export function isPriced(usage: MediaUsage, attempt: Attempt): boolean {
  const priced = pricedUnits(attempt);
  return Object.keys(measuredUnits(usage, priced)).some((unit) => Object.hasOwn(priced, unit));
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
