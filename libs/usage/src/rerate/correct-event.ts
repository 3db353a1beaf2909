import type { UsageCorrection, UsageEvent } from '@weir/contracts';

const NOTHING_USED: UsageEvent['units'] = {
  ...{ in: 0, out: 0, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0 },
  ...{ images: 0, chars: 0, ms_audio: 0, searches: 0 },
};

/** An event and all that has corrected it so far, in the order in which it was corrected. */
export type PricedEvent = { readonly event: UsageEvent; readonly corrections: readonly UsageCorrection[] };

/** One re-rating, as each of its corrections names it. */
export type RerateFacts = {
  readonly rerateId: string;
  readonly toPriceVersion: string;
  readonly because: string;
  readonly atMs: number;
};

/** What an event costs by now, and the version of the price that says so. */
export function readCurrentPrice({ event, corrections }: PricedEvent): { readonly costPico: bigint; readonly priceVersion: string } {
  const costs = [event, ...corrections].map(({ cost_p: cost }) => BigInt(cost));
  return {
    costPico: costs.reduce((sum, cost) => sum + cost, 0n),
    priceVersion: corrections.at(-1)?.price_version ?? event.price_version,
  };
}

/** Gathers corrections in their order. */
export function gatherCorrections(event: UsageEvent, all: readonly UsageCorrection[]): PricedEvent {
  const own = all.filter(({ corrects }) => corrects.event_id === event.event_id);
  return { event, corrections: own.sort((a, b) => a.corrects.number - b.corrects.number) };
}

/**
 * The correction that makes an event cost `costPico`, to the last digit. It has the dimensions, the time and the limits of the
 * event, so that it counts wherever the event does, and no quantities. One that changes nothing is written too: it says by
 * which price the event is charged from here on.
 */
export function correctEvent(priced: PricedEvent, costPico: bigint, rerate: RerateFacts): UsageCorrection {
  const { event, corrections } = priced;
  const { uncharged: _uncharged, doubted: _doubted, error_code: _code, traceparent: _span, why: _why, ...kept } = event;
  const difference = String(costPico - readCurrentPrice(priced).costPico);
  return {
    ...kept,
    event_id: `${event.event_id}:${rerate.rerateId}`,
    logical: false,
    dur_ms: 0,
    ttft_ms: null,
    units: NOTHING_USED,
    price_version: rerate.toPriceVersion,
    cost_p: difference,
    billed_p: event.is_byok ? '0' : difference,
    reserve_p: '0',
    hold_id: null,
    corrects: {
      event_id: event.event_id,
      rerate_id: rerate.rerateId,
      number: corrections.length + 1,
      at: rerate.atMs,
      because: rerate.because,
    },
  };
}

/** What used nothing costs nothing, by every price. */
export function hasUsedNothing({ units }: Pick<UsageEvent, 'units'>): boolean {
  return Object.values(units).every((count) => count === 0);
}
