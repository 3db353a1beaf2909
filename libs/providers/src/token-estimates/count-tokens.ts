import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenFamily } from './token-families';

type Count = (text: string) => number;

/** So many characters are counted one by one: a few milliseconds, whatever they are. */
const SAMPLE_CHARACTERS = 16_384;
const SAMPLES = 8;
/** The time to merge a run without a break grows with its square. */
const LONG_WORD = /\S{200}/g;
const LONG_SPACE = /\s{200}/g;
/** Words that stand for control tokens in the vocabularies are text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const counters = new Map<TokenFamily['encoding'], Count>();

/**
 * Tokens of a text in a public encoding. Exact up to 16 Ki characters; of a longer text samples are counted, spread evenly
 * over it, so that no text occupies the process for long.
 */
export function countTokens(text: string, encoding: TokenFamily['encoding']): number {
  if (text === '') return 0;
  const count = findCounter(encoding);
  if (text.length <= SAMPLE_CHARACTERS) return count(text);
  const length = SAMPLE_CHARACTERS / SAMPLES;
  const step = (text.length - length) / (SAMPLES - 1);
  let sampled = 0;
  for (let index = 0; index < SAMPLES; index += 1) {
    const start = Math.floor(index * step);
    sampled += count(text.slice(start, start + length));
  }
  return Math.round((sampled * text.length) / SAMPLE_CHARACTERS);
}

/** An encoding takes a sixth of a second and 35 MB to load, so it is loaded by the first text that needs it. */
function findCounter(encoding: TokenFamily['encoding']): Count {
  const known = counters.get(encoding);
  if (known !== undefined) return known;
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { countTokens: countAll } = require(`gpt-tokenizer/encoding/${encoding}`) as typeof Encoding;
  const count: Count = (text) => countAll(text.replace(LONG_SPACE, '$&.').replace(LONG_WORD, '$& '), AS_TEXT);
  counters.set(encoding, count);
  return count;
}
