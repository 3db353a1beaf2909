/** The sums that answers are made of, in the order in which they are read; requests are told apart by modality later. */
export const ANSWER_COLUMNS = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_pico',
] as const;
