import { NO_USAGE, toCount, type Usage } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../../wire/json-value';

/**
 * The provider counts twice: `tokens` is all that went through the model, its own long preamble included, and
 * `billed_units` is what it puts on the bill, often a tenth of it. Ours is the bill. What it read from its cache is told
 * as a part of `tokens` only and has no price of its own.
 */
export function readUsage(usage: unknown): Usage | null {
  const told = asRecord(usage);
  const billed = readCounts(told?.['billed_units']);
  if (billed !== null) return { ...NO_USAGE, ...billed };
  const all = readCounts(told?.['tokens']);
  if (all === null) return null;
  const cacheRead = Math.min(all.inputUncached, toCount(told?.['cached_tokens']));
  return { ...NO_USAGE, inputUncached: all.inputUncached - cacheRead, cacheRead, output: all.output };
}

function readCounts(value: unknown): Pick<Usage, 'inputUncached' | 'output'> | null {
  const counts: JsonRecord = asRecord(value) ?? {};
  if (typeof counts['input_tokens'] !== 'number' && typeof counts['output_tokens'] !== 'number') return null;
  return { inputUncached: toCount(counts['input_tokens']), output: toCount(counts['output_tokens']) };
}
