import { NO_MEDIA_USAGE, NO_USAGE, type MediaUsage, type Usage } from '@weir/canonical';
import fc from 'fast-check';
import { isBelievable, isEmbeddingBelievable, type ChatMost } from './believe-usage';
import { isMediaBelievable, type MediaMost } from './media/believe-media-usage';
import { measureMedia } from './media/measure-media';
import { measurePrompt } from './measure-prompt';

const mostOf = (json: Record<string, unknown>, output?: number): ChatMost => ({
  prompt: () => measurePrompt(json, Buffer.byteLength(JSON.stringify(json))),
  output: () => output,
});
const usageOf = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes });
const heldIn = (...parts: readonly object[]) => ({ messages: [{ role: 'user', content: parts }] });

describe('what a provider told of a chat', () => {
  it('is believed wherever it is within what the request itself allows', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.nat(20), fc.nat({ max: 1_000_000 }), (text, images, output) => {
        const json = heldIn(...Array.from({ length: images }, () => ({ type: 'image_url', image_url: { url: 'https://a.example/b' } })), {
          text,
        });
        const inputUncached = Buffer.byteLength(text) + images * 50_000;
        expect(isBelievable(usageOf({ inputUncached, output, searches: 20 }), mostOf(json, output))).toBe(true);
      }),
    );
  });

  it.each<[string, Record<string, unknown>, Partial<Usage>, number | undefined]>([
    ['a long prompt', { input: 'x'.repeat(4_000_000) }, { inputUncached: 1_400_000 }, undefined],
    [
      'many turns of hosted tools',
      { tools: [{ type: 'web_search' }] },
      { inputUncached: 9_000_000, cacheRead: 9_000_000, searches: 300 },
      4_096,
    ],
    ['a file kept elsewhere', heldIn({ type: 'input_file', file_id: 'f' }), { inputUncached: 2_000_000 }, undefined],
    ['several turns of a long answer', {}, { output: 5_000_000 }, 600_000],
    ['an allowance of searches', { tools: [{ type: 'web_search', max_uses: 200 }] }, { searches: 1_999 }, undefined],
  ])('is believed: %s', (_, json, told, output) => {
    expect(isBelievable(usageOf(told), mostOf(json, output))).toBe(true);
  });

  it.each<[string, Record<string, unknown>, Partial<Usage>, number | undefined]>([
    ['ten times a short prompt, and beyond what is usual', { input: 'short' }, { inputUncached: 1_000_001 }, undefined],
    ['the same in its cache', { input: 'short' }, { inputUncached: 1, cacheRead: 1_000_000 }, undefined],
    ['more than ten of the longest windows', { tools: [{ type: 'web_search' }] }, { inputUncached: 20_000_001 }, undefined],
    ['ten answers of the longest', {}, { output: 6_000_001 }, 600_000],
    ['an answer that nothing limits', {}, { output: 1_000_001 }, undefined],
    ['searches that nobody asked for', {}, { searches: 1_001 }, undefined],
  ])('is doubted: %s', (_, json, told, output) => {
    expect(isBelievable(usageOf(told), mostOf(json, output))).toBe(false);
  });
});

it('what a provider told of embeddings is doubted above ten times their texts and what is added to each', () => {
  expect(isEmbeddingBelievable(8_000, { estimate: 1, inputs: 1 })).toBe(true);
  expect(isEmbeddingBelievable(300_000 + 2048 * 500, { estimate: 300_000, inputs: 2048 })).toBe(true);
  expect(isEmbeddingBelievable(12_000, { estimate: 1, inputs: 1 })).toBe(false);
});

function mediaMost(
  modality: MediaMost['modality'],
  json: Record<string, unknown>,
  more: Partial<MediaMost> & { seconds?: number } = {},
): MediaMost {
  const { seconds = 0, ...facts } = more;
  const media = measureMedia({ modality, json, imageFiles: 0, audioSeconds: seconds });
  return { modality, textTokens: media.textTokens, media, count: 1, maxOutputTokens: null, ...facts };
}

describe('what a provider told of pictures and sound', () => {
  const told = (changes: Partial<MediaUsage>): MediaUsage => ({ ...NO_MEDIA_USAGE, ...changes });
  it.each<[string, MediaMost, Partial<MediaUsage>, Partial<MediaUsage>]>([
    [
      'tokens of pictures',
      mediaMost('image', { prompt: 'a kite' }, { count: 2 }),
      { outputImageTokens: 2 * 6_540, outputTextTokens: 8_000 },
      { outputImageTokens: 500_000 },
    ],
    ['tokens that went in', mediaMost('image', { prompt: 'a kite' }), { inputTextTokens: 300 }, { inputImageTokens: 3_000 }],
    ['characters', mediaMost('speech', { input: 'x'.repeat(50) }), { characters: 100 }, { characters: 501 }],
    ['characters of a short text', mediaMost('speech', { input: 'x' }), { characters: 100 }, { characters: 101 }],
    [
      'tokens of speech',
      mediaMost('speech', { input: '1234567890', speed: 0.25 }),
      { outputAudioTokens: 3_000 },
      { outputAudioTokens: 35_000 },
    ],
    [
      'seconds',
      mediaMost('transcription', {}, { seconds: 7_200 }),
      { seconds: 7_200, inputAudioTokens: 230_400, outputTextTokens: 60_000 },
      { seconds: 72_001 },
    ],
    ['seconds of a short recording', mediaMost('transcription', {}, { seconds: 1 }), { seconds: 60 }, { seconds: 61 }],
    [
      'tokens of what was written',
      mediaMost('transcription', {}, { seconds: 10 }),
      { outputTextTokens: 9_000 },
      { outputTextTokens: 20_000 },
    ],
    [
      'thoughts of a model that may have many',
      mediaMost('transcription', {}, { seconds: 1, maxOutputTokens: 65_536 }),
      { outputTextTokens: 65_536 },
      { outputTextTokens: 655_361 },
    ],
  ])('is believed and doubted by its own bound: %s', (_, most, possible, impossible) => {
    expect(isMediaBelievable(told(possible), most)).toBe(true);
    expect(isMediaBelievable(told(impossible), most)).toBe(false);
    expect(isMediaBelievable(told({ ...possible, isDoubtful: true }), most)).toBe(false);
  });
});
