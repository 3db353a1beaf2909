/** The sums that results are made of, in the order in which they are read; requests are counted per modality later. */
export const RESULT_COLUMNS = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_pico',
] as const;
