import { createCountReader, NO_MEDIA_USAGE, type CountReader, type MediaUsage } from '@weir/canonical';
import { asRecord, asRecords } from '../../wire/json-value';
import { hasUsage, readNeeded } from './read-usage';

/**
 * The provider's `usageMetadata` by kind of content. `madeOf` is what the output counts as where the provider does not
 * separate its kinds; thinking is text. Null when there is nothing to read.
 */
export function readMediaUsage(usage: unknown, madeOf: 'text' | 'image' | 'audio'): MediaUsage | null {
  const reported = asRecord(usage);
  if (reported === undefined || !hasUsage(reported)) return null;
  const { doubt, ...reader } = createCountReader();
  const { count } = reader;
  const { prompt, answer: made } = readNeeded(reported, reader);
  const given = split(prompt, reported['promptTokensDetails'], 'text', count);
  const output = split(made, reported['candidatesTokensDetails'], madeOf, count);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: given.text,
    inputImageTokens: given.image,
    inputAudioTokens: given.audio,
    outputTextTokens: output.text + count(reported['thoughtsTokenCount']),
    outputImageTokens: output.image,
    outputAudioTokens: output.audio,
    ...doubt(),
  };
}

/** All of the tokens in three disjoint kinds, however little the details say of them. */
function split(
  total: number,
  details: unknown,
  otherwise: 'text' | 'image' | 'audio',
  count: CountReader['count'],
): { text: number; image: number; audio: number } {
  const kinds = asRecords(details);
  const tokensOf = (modality: string): number =>
    kinds.reduce((sum, kind) => (kind['modality'] === modality ? sum + count(kind['tokenCount']) : sum), 0);
  const none = { text: 0, image: 0, audio: 0 };
  if (kinds.length === 0) return { ...none, [otherwise]: total };
  const image = Math.min(total, tokensOf('IMAGE'));
  const audio = Math.min(total - image, tokensOf('AUDIO'));
  return { text: total - image - audio, image, audio };
}
