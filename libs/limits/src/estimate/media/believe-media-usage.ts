import { inputTokens, outputTokens, type MediaUsage } from '@weir/canonical';
import { DOUBTED_ABOVE } from '../believe-usage';
import { boundUnits, type UnitFacts } from '../price-unit-bounds';

export type MediaMost = UnitFacts & {
  /** What the catalogue says of one answer of the model: thoughts are told as its output. Null: it does not say. */
  readonly maxOutputTokens: number | null;
};

/** What some providers charge at least, however short a recording or a text is. */
const SECONDS_MIN = 60;
const CHARACTERS_MIN = 100;

/** Whether what a provider told of a request about pictures or sound can be true; see isBelievable. */
export function isMediaBelievable(told: MediaUsage, { maxOutputTokens, ...facts }: MediaMost): boolean {
  const most = boundUnits(facts);
  const output = Math.max(most.output + most.outputImage, (maxOutputTokens ?? 0) * facts.count);
  return (
    told.isDoubtful !== true &&
    inputTokens(told) <= DOUBTED_ABOVE * (most.inputText + most.inputImage) &&
    outputTokens(told) <= DOUBTED_ABOVE * output &&
    told.characters <= Math.max(CHARACTERS_MIN, DOUBTED_ABOVE * most.character) &&
    told.seconds <= Math.max(SECONDS_MIN, DOUBTED_ABOVE * most.second)
  );
}
