import { inputTokens, outputTokens, type MediaUsage } from '@weir/canonical';
import { boundUnits, type UnitFacts } from './price-unit-bounds';

export type MediaMost = UnitFacts & {
  /** What the catalogue says of one answer of the model: thoughts are reported as its output. Null: it does not say. */
  readonly maxOutputTokens: number | null;
};

/** What some providers charge at least, however short a recording or a text is. */
const SECONDS_MIN = 60;
const CHARACTERS_MIN = 100;

/**
 * What a provider reported of a request about pictures or sound, no count larger than the request explains; see
 * boundChatUsage. Returns the very same object where nothing has to be cut, as an estimate otherwise.
 */
export function boundMediaUsage(reported: MediaUsage, { maxOutputTokens, ...facts }: MediaMost): MediaUsage {
  const most = boundUnits(facts);
  const outputMost = Math.max(most.output + most.outputImage, (maxOutputTokens ?? 0) * facts.count);
  const input = shareOf(inputTokens(reported), most.inputText + most.inputImage);
  const output = shareOf(outputTokens(reported), outputMost);
  const characters = Math.min(reported.characters, Math.max(CHARACTERS_MIN, most.character));
  const seconds = Math.min(reported.seconds, Math.max(SECONDS_MIN, Math.ceil(most.second)));
  const isWhole = input === null && output === null && characters === reported.characters && seconds === reported.seconds;
  if (isWhole) return reported;
  const [cutInput, cutOutput] = [input ?? keep, output ?? keep];
  return {
    ...reported,
    inputTextTokens: cutInput(reported.inputTextTokens),
    inputImageTokens: cutInput(reported.inputImageTokens),
    inputAudioTokens: cutInput(reported.inputAudioTokens),
    outputTextTokens: cutOutput(reported.outputTextTokens),
    outputImageTokens: cutOutput(reported.outputImageTokens),
    outputAudioTokens: cutOutput(reported.outputAudioTokens),
    characters,
    seconds,
    source: 'estimate',
  };
}

type Cut = (count: number) => number;

const keep: Cut = (count) => count;

/** Cuts the parts of `whole` in the same proportion; null where nothing has to be cut. */
function shareOf(whole: number, most: number): Cut | null {
  return whole <= most ? null : (count) => Math.floor((count / whole) * most);
}
