import { NO_USAGE, type Usage } from '@weir/canonical';
import { priceSheet, usageEvent, type PriceSheet, type UsageEvent } from '@weir/contracts';
import { z } from 'zod';
import { describeUnits, priceAttempt } from './price-attempt';

const draft = z.object({ event: usageEvent, prices: priceSheet });

/**
 * Makes the event of an attempt that a crash cut short: the whole prompt and the output that was last noted, at the
 * prices that were journalled with the attempt. It has the id that its regular event would have had.
 */
export function createCrashCloser(options: { now: () => number }): (draftJson: string, outputTokens: number | undefined) => UsageEvent {
  return (draftJson, outputTokens) => {
    const { event, prices } = draft.parse(JSON.parse(draftJson));
    const usage = { ...NO_USAGE, inputUncached: event.units.in, output: outputTokens ?? 0, source: 'tokenizer' as const };
    const cost = priceWhatIsKnown(prices, usage).toString();
    // How long it really ran died with the process: from its beginning, nothing is known.
    return {
      ...event,
      ended_at: Math.max(event.ended_at, options.now()),
      units: describeUnits(usage),
      unit_source: usage.source,
      cost_p: cost,
      billed_p: event.is_byok ? '0' : cost,
      status: 'aborted_crash',
      error_origin: 'router',
    };
  };
}

/** Of models priced by image or second, nobody knows after a crash how many were made: those cost nothing then. */
function priceWhatIsKnown(prices: PriceSheet, usage: Usage): bigint {
  try {
    return priceAttempt(prices, usage);
  } catch {
    return 0n;
  }
}
