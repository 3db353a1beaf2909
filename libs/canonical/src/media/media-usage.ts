import { NO_USAGE, toCount, type Usage } from '../usage';

/** What one attempt used, in disjoint buckets: all tokens of the input are text + image + audio, and so those of the output. */
export type MediaUsage = {
  readonly inputTextTokens: number;
  readonly inputImageTokens: number;
  readonly inputAudioTokens: number;
  /** Output tokens that are neither of the other two; all of them where the provider does not split them. */
  readonly outputTextTokens: number;
  readonly outputImageTokens: number;
  readonly outputAudioTokens: number;
  /** Of audio; may have a fraction. */
  readonly seconds: number;
  /** Of the text to be spoken: Unicode code points. */
  readonly characters: number;
  /** Images made. */
  readonly images: number;
  /** `tokenizer` is what we counted exactly ourselves, `estimate` what we had to guess. */
  readonly source: Usage['source'];
  /** See Usage. */
  readonly isDoubtful?: true;
};

export const NO_MEDIA_USAGE: MediaUsage = {
  inputTextTokens: 0,
  inputImageTokens: 0,
  inputAudioTokens: 0,
  outputTextTokens: 0,
  outputImageTokens: 0,
  outputAudioTokens: 0,
  seconds: 0,
  characters: 0,
  images: 0,
  source: 'provider',
};

const SOURCES: readonly Usage['source'][] = ['provider', 'tokenizer', 'estimate'];

export function inputTokens(usage: MediaUsage): number {
  return usage.inputTextTokens + usage.inputImageTokens + usage.inputAudioTokens;
}

export function outputTokens(usage: MediaUsage): number {
  return usage.outputTextTokens + usage.outputImageTokens + usage.outputAudioTokens;
}

/** The usage of several calls together; as sure as the least sure of them. */
export function addMediaUsage(one: MediaUsage, other: MediaUsage): MediaUsage {
  const source = SOURCES.indexOf(one.source) > SOURCES.indexOf(other.source) ? one.source : other.source;
  return {
    inputTextTokens: one.inputTextTokens + other.inputTextTokens,
    inputImageTokens: one.inputImageTokens + other.inputImageTokens,
    inputAudioTokens: one.inputAudioTokens + other.inputAudioTokens,
    outputTextTokens: one.outputTextTokens + other.outputTextTokens,
    outputImageTokens: one.outputImageTokens + other.outputImageTokens,
    outputAudioTokens: one.outputAudioTokens + other.outputAudioTokens,
    seconds: one.seconds + other.seconds,
    characters: one.characters + other.characters,
    images: one.images + other.images,
    source,
    ...(one.isDoubtful === true || other.isDoubtful === true ? { isDoubtful: true } : {}),
  };
}

/**
 * What was used, by the unit names of price sheets. Tokens of images count as plain tokens where the sheet has no price of
 * their own for them, so that none is ever free. Only what was used is named: a zero would hide that nothing the sheet
 * prices was measured. Tokens are named wherever there are any, be they all of images.
 */
export function measuredUnits(usage: MediaUsage, priced: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const splitsInput = Object.hasOwn(priced, 'input_image_token');
  const splitsOutput = Object.hasOwn(priced, 'output_image_token');
  const input = inputTokens(usage);
  const output = outputTokens(usage);
  const used = {
    input_image_token: splitsInput ? usage.inputImageTokens : 0,
    output_image_token: splitsOutput ? usage.outputImageTokens : 0,
    image: usage.images,
    character: usage.characters,
    second: usage.seconds,
  };
  return {
    ...(input > 0 ? { input_token: input - used.input_image_token } : {}),
    ...(output > 0 ? { output_token: output - used.output_image_token } : {}),
    ...Object.fromEntries(Object.entries(used).filter(([, quantity]) => quantity > 0)),
  };
}

/** The tokens as the journal keeps them. */
export function tokenUsage(usage: MediaUsage): Usage {
  return {
    ...NO_USAGE,
    inputUncached: toCount(inputTokens(usage)),
    output: toCount(outputTokens(usage)),
    audioInput: toCount(usage.inputAudioTokens),
    audioOutput: toCount(usage.outputAudioTokens),
    source: usage.source,
  };
}
