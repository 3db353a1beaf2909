import { priceSheet, usageEvent, type UsageEvent, type UsageUnits } from '@weir/contracts';
import { z } from 'zod';
import { NO_UNITS, priceAttempt } from './price-attempt';
import { readUnits } from './read-units';

/** What a beginning need not say: nothing of it was different yet. */
const UNENDED = {
  logical: true,
  dur_ms: 0,
  ttft_ms: null,
  unit_source: 'estimate',
  cost_p: '0',
  billed_p: '0',
  status: 'aborted_crash',
  http_status: null,
  error_origin: 'router',
  guardrail: null,
} as const;

const draft = z.object({
  event: z.looseObject({ units: z.looseObject({}) }),
  prices: priceSheet,
  /** What pictures are charged by, where it is not the plain unit. */
  image_unit: z.string().optional(),
});
type Draft = z.infer<typeof draft>;

/**
 * Makes the event of an attempt that a crash cut short: what it was to use at least and the output that was last noted, at
 * the prices that were journalled with the attempt. It has the id that its regular event would have had.
 */
export function createCrashCloser(options: { now: () => number }): (draftJson: string, outputTokens: number | undefined) => UsageEvent {
  return (draftJson, outputTokens) => {
    const begun = draft.parse(JSON.parse(draftJson));
    const event = usageEvent.parse({ ...UNENDED, ...begun.event, units: { ...NO_UNITS, ...begun.event.units } });
    const units = { ...event.units, out: Math.max(event.units.out, outputTokens ?? 0) };
    const cost = priceWhatIsKnown(begun, units).toString();
    // How long it really ran died with the process: from its beginning, nothing is known.
    return {
      ...event,
      ended_at: Math.max(event.ended_at, options.now()),
      units,
      unit_source: 'estimate',
      cost_p: cost,
      billed_p: event.is_byok ? '0' : cost,
      status: 'aborted_crash',
      error_origin: 'router',
    };
  };
}

/** Where nothing that the sheet prices was known before the crash, nothing is charged. */
function priceWhatIsKnown({ prices, image_unit: imageUnit = 'image' }: Draft, units: UsageUnits): bigint {
  const { usage, measured } = readUnits(units, 'estimate');
  const { image, ...others } = measured;
  try {
    return priceAttempt(prices, usage, { ...others, ...(image === undefined ? {} : { [imageUnit]: image }) });
  } catch {
    return 0n;
  }
}
