import { NO_MEDIA_USAGE, toCount, type MediaUsage } from '@weir/canonical';
import { asRecord, asRecords } from '../../wire/json-value';

/**
 * The provider's `usageMetadata` by kind of content. `madeOf` is what the output counts as where the provider does not
 * tell its kinds apart; thinking is text. Null when there is nothing to read.
 */
export function readMediaUsage(usage: unknown, madeOf: 'text' | 'image' | 'audio'): MediaUsage | null {
  const told = asRecord(usage);
  if (told === undefined || (typeof told['promptTokenCount'] !== 'number' && typeof told['totalTokenCount'] !== 'number')) return null;
  const prompt = toCount(told['promptTokenCount']) + toCount(told['toolUsePromptTokenCount']);
  const made = toCount(told['candidatesTokenCount']);
  const given = split(prompt, told['promptTokensDetails'], 'text');
  const output = split(made, told['candidatesTokensDetails'], madeOf);
  return {
    ...NO_MEDIA_USAGE,
    inputTextTokens: given.text,
    inputImageTokens: given.image,
    inputAudioTokens: given.audio,
    outputTextTokens: output.text + toCount(told['thoughtsTokenCount']),
    outputImageTokens: output.image,
    outputAudioTokens: output.audio,
  };
}

/** All of the tokens in three disjoint kinds, however little the details say of them. */
function split(total: number, details: unknown, otherwise: 'text' | 'image' | 'audio'): { text: number; image: number; audio: number } {
  const kinds = asRecords(details);
  const count = (modality: string): number =>
    kinds.reduce((sum, kind) => (kind['modality'] === modality ? sum + toCount(kind['tokenCount']) : sum), 0);
  const none = { text: 0, image: 0, audio: 0 };
  if (kinds.length === 0) return { ...none, [otherwise]: total };
  const image = Math.min(total, count('IMAGE'));
  const audio = Math.min(total - image, count('AUDIO'));
  return { text: total - image - audio, image, audio };
}
