import { createCountReader, isNumeral, NO_USAGE, type CountReader, type Usage } from '@weir/canonical';
import { asRecord, type JsonRecord } from '../../wire/json-value';

/**
 * The provider counts twice: `tokens` is all that went through the model, its own long preamble included, and
 * `billed_units` is what it puts on the bill, often a tenth of it. Ours is the bill. What it read from its cache is reported
 * as a part of `tokens` only and has no price of its own.
 */
export function readUsage(usage: unknown): Usage | null {
  const reported = asRecord(usage);
  const reader = createCountReader();
  const billed = readCounts(reported?.['billed_units'], reader);
  if (billed !== null) return { ...NO_USAGE, ...billed, ...reader.doubt() };
  const all = readCounts(reported?.['tokens'], reader);
  if (all === null) return null;
  const cacheRead = reader.part(reported?.['cached_tokens'], all.inputUncached);
  return { ...NO_USAGE, inputUncached: all.inputUncached - cacheRead, cacheRead, output: all.output, ...reader.doubt() };
}

function readCounts(value: unknown, { needed }: CountReader): Pick<Usage, 'inputUncached' | 'output'> | null {
  const counts: JsonRecord = asRecord(value) ?? {};
  if (!isNumeral(counts['input_tokens']) && !isNumeral(counts['output_tokens'])) return null;
  return { inputUncached: needed(counts['input_tokens']), output: needed(counts['output_tokens']) };
}
