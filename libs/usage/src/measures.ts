import type { UsageEvent, UsageStatus } from '@weir/contracts';
import { isCorrection } from './rerate/is-correction';

/** Everything that is added up. Money in integer pico-dollars. */
export type Measures = {
  /** Logical requests; an attempt that was retried elsewhere counts in `attempts` only. */
  requests: number;
  attempts: number;
  errors: number;
  /** Prompt tokens that were neither read from nor written to a cache. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  /** Part of the output. */
  reasoningTokens: number;
  audioInTokens: number;
  audioOutTokens: number;
  searches: number;
  images: number;
  chars: number;
  audioMs: number;
  costPico: bigint;
  billedPico: bigint;
  durationMs: number;
  ttftMs: number;
  /** Attempts that had a first byte. */
  ttftCount: number;
};

const IS_ERROR: Record<UsageStatus, boolean> = {
  ok: false,
  client_closed: false,
  upstream_error: true,
  upstream_cut: true,
  timeout: true,
  refused_midstream: true,
  aborted_crash: true,
};

export function measureEvent(event: UsageEvent): Measures {
  const { units } = event;
  const attempts = isCorrection(event) ? 0 : 1;
  return {
    requests: event.logical ? 1 : 0,
    attempts,
    errors: IS_ERROR[event.status] ? attempts : 0,
    inputTokens: units.in,
    outputTokens: units.out,
    cachedTokens: units.cached_in,
    cacheWriteTokens: units.cache_w5m + units.cache_w1h,
    reasoningTokens: units.reasoning,
    audioInTokens: units.audio_in,
    audioOutTokens: units.audio_out,
    searches: units.searches,
    images: units.images,
    chars: units.chars,
    audioMs: units.ms_audio,
    costPico: BigInt(event.cost_p),
    billedPico: BigInt(event.billed_p),
    durationMs: event.dur_ms,
    ttftMs: event.ttft_ms ?? 0,
    ttftCount: event.ttft_ms === null ? 0 : 1,
  };
}

/** Adds in place: a batch adds thousands of events into few rows. */
export function addMeasures(into: Measures, more: Measures): void {
  into.requests += more.requests;
  into.attempts += more.attempts;
  into.errors += more.errors;
  into.inputTokens += more.inputTokens;
  into.outputTokens += more.outputTokens;
  into.cachedTokens += more.cachedTokens;
  into.cacheWriteTokens += more.cacheWriteTokens;
  into.reasoningTokens += more.reasoningTokens;
  into.audioInTokens += more.audioInTokens;
  into.audioOutTokens += more.audioOutTokens;
  into.searches += more.searches;
  into.images += more.images;
  into.chars += more.chars;
  into.audioMs += more.audioMs;
  into.costPico += more.costPico;
  into.billedPico += more.billedPico;
  into.durationMs += more.durationMs;
  into.ttftMs += more.ttftMs;
  into.ttftCount += more.ttftCount;
}
