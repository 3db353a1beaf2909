import type { Measures } from './measures';

/** Columns of every rollup, in whichever store, and the measure each adds up. */
export const MEASURE_COLUMNS = {
  requests: 'requests',
  attempts: 'attempts',
  errors: 'errors',
  input_tokens: 'inputTokens',
  output_tokens: 'outputTokens',
  cached_tokens: 'cachedTokens',
  cache_write_tokens: 'cacheWriteTokens',
  reasoning_tokens: 'reasoningTokens',
  audio_in_tokens: 'audioInTokens',
  audio_out_tokens: 'audioOutTokens',
  searches: 'searches',
  images: 'images',
  chars: 'chars',
  audio_ms: 'audioMs',
  cost_pico: 'costPico',
  billed_pico: 'billedPico',
  duration_ms: 'durationMs',
  ttft_ms: 'ttftMs',
  ttft_count: 'ttftCount',
} as const satisfies Record<string, keyof Measures>;

export type MeasureColumn = keyof typeof MEASURE_COLUMNS;

/** The sums that results are made of, in the order in which they are read; requests are counted per modality later. */
export const RESULT_COLUMNS = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_pico',
] as const satisfies readonly MeasureColumn[];
