import { measuredUnits, NO_MEDIA_USAGE, type MediaUsage } from '@weir/canonical';
import type { Modality, UnitPriceSheet } from '@weir/contracts';
import { createBuiltInCatalog, isImageVariant } from '@weir/model-catalog';
import { priceUnits } from '@weir/pricing';
import fc from 'fast-check';
import { boundRequest } from '../bound-request';
import { measurePrompt } from '../measure-prompt';
import { readAskedImages } from '../read-asked-output';
import { measureMedia, type MediaFacts } from './measure-media';
import { boundMediaUsage, findMostUsage } from './most-usage';

type MediaModality = Extract<Modality, 'image' | 'speech' | 'transcription'>;
type Case = { readonly id: string; readonly modality: MediaModality; readonly sheet: UnitPriceSheet };

const catalog = createBuiltInCatalog(() => Date.UTC(2026, 10, 21));
const CASES = (['image', 'speech', 'transcription'] as const).flatMap((modality) =>
  catalog.list(modality).flatMap((record): Case[] => {
    const sheet = catalog.priceSheet(record);
    return sheet.kind === 'units' ? [{ id: record.id, modality, sheet }] : [];
  }),
);

function worstOf(facts: MediaFacts, sheet: UnitPriceSheet): bigint {
  const { json } = facts;
  const bytes = Buffer.byteLength(JSON.stringify(json));
  const attempts = [{ prices: sheet, contextWindow: null, maxOutputTokens: null, isSearching: false }];
  const asked = readAskedImages(json);
  const media = measureMedia({ ...facts, count: asked.choices });
  return boundRequest({ modality: facts.modality, prompt: measurePrompt(json, bytes), media, asked, attempts }).worstPico;
}

/** Something between nothing and a number, by a share in parts of a thousand. */
const part = (most: number, share = 1000): number => Math.floor((most * share) / 1000);

/** What providers are known to make of a request at most: their documents, and twice that. */
function useOf({ modality, json, imageFiles, audioSeconds }: MediaFacts, shares: number[]): MediaUsage {
  const [words, pictures, made, heard] = shares;
  const count = typeof json['n'] === 'number' ? json['n'] : 1;
  const text = Buffer.byteLength(String(json['prompt'] ?? json['input'] ?? ''));
  const usage = { ...NO_MEDIA_USAGE, inputTextTokens: 1 + part(text + 100, words) };
  if (modality === 'image') {
    const isModest = json['quality'] === 'low' || json['quality'] === 'medium';
    return {
      ...usage,
      inputImageTokens: imageFiles * part(7_500, pictures),
      outputImageTokens: count * part(isModest ? 2_000 : 6_540, made),
      outputTextTokens: count * part(4_000, heard),
      images: count,
    };
  }
  if (modality === 'speech')
    return { ...usage, characters: [...String(json['input'])].length, outputAudioTokens: part(text * 2 + 100, made) };
  return {
    ...usage,
    inputAudioTokens: part(audioSeconds * 32, heard),
    outputTextTokens: part(audioSeconds * 12, made),
    seconds: audioSeconds,
  };
}

/** The units that a worker names: pictures by the dearest variant that a sheet has. */
function priceOf(sheet: UnitPriceSheet, usage: MediaUsage): bigint {
  const { image, ...units } = measuredUnits(usage, sheet.units);
  const kinds = Object.keys(sheet.units).filter((unit) => unit === 'image' || isImageVariant(unit));
  if (image === undefined || kinds.length === 0) return priceUnits(sheet, { ...units, ...(image === undefined ? {} : { image }) });
  return kinds.map((kind) => priceUnits(sheet, { ...units, [kind]: image })).reduce((most, price) => (price > most ? price : most), 0n);
}

const facts = fc.record({
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
  n: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  quality: fc.constantFrom(undefined, 'auto', 'low', 'medium', 'high', 'hd'),
  size: fc.constantFrom(undefined, 'auto', '1024x1024', '1536x1024', '1792x1024'),
  speed: fc.constantFrom(undefined, 0.25, 1, 4),
  imageFiles: fc.nat(17),
  audioSeconds: fc.integer({ min: 1, max: 20_000 }),
});
const shares = fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 });

describe('the worst case of a request about pictures or sound', () => {
  it('covers models of every kind', () => {
    expect(new Set(CASES.map(({ modality }) => modality)).size).toBe(3);
    expect(CASES.length).toBeGreaterThan(50);
  });

  it('is never below the price of what it can use, at any price sheet of the catalogue, and such a report stands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CASES), facts, shares, ({ modality, sheet }, { text, imageFiles, audioSeconds, ...more }, parts) => {
        const words = modality === 'speech' ? { input: text } : { prompt: text };
        const json = Object.fromEntries(Object.entries({ ...words, ...more }).filter(([, value]) => value !== undefined));
        const asked = {
          modality,
          json,
          imageFiles: modality === 'image' ? imageFiles : 0,
          audioSeconds: modality === 'transcription' ? audioSeconds : 0,
        };
        const used = useOf(asked, parts);
        expect(worstOf(asked, sheet) >= priceOf(sheet, used)).toBe(true);
        const media = measureMedia({ ...asked, count: readAskedImages(json).choices });
        expect(boundMediaUsage(used, findMostUsage({ modality, media, maxOutputTokens: null }))).toBe(used);
      }),
      { numRuns: 1_500 },
    );
  });

  const units = (more: Record<string, string>): UnitPriceSheet => ({ kind: 'units', version: 'v', units: more });
  const ask = (modality: MediaModality, json: Record<string, unknown>, more: Partial<MediaFacts> = {}): MediaFacts => ({
    ...{ modality, json, imageFiles: 0, audioSeconds: 0 },
    ...more,
  });

  it('counts pictures that go in however they come, and as plain tokens where they have no price of their own', () => {
    const own = units({ input_image_token: '0.000001' });
    const plain = units({ input_token: '0.000001' });
    const byName = ask('image', { images: [{ file_id: 'a' }, { image_url: 'data:x' }], mask: { file_id: 'm' } });
    expect(worstOf(byName, own)).toBe(worstOf(ask('image', { prompt: 'x' }, { imageFiles: 3 }), own));
    expect(worstOf(byName, own)).toBe(30_000n * 1_000_000n);
    expect(worstOf(byName, plain)).toBe(30_256n * 1_000_000n);
    expect(worstOf(ask('image', {}), own)).toBe(0n);
  });

  it('grows with the number, the quality and the size of what is made, and takes the dearest kind', () => {
    const tokens = units({ output_image_token: '0.000001' });
    const made = (json: Record<string, unknown>): bigint => worstOf(ask('image', json), tokens) / 1_000_000n;
    expect([made({}), made({ n: 3 }), made({ quality: 'low' }), made({ size: '3072x2048' })]).toEqual([10_000n, 30_000n, 3_000n, 40_000n]);
    expect(worstOf(ask('image', { n: 2 }), units({ image: '0.04', 'image:hd:1x1': '0.08' }))).toBe(160_000_000_000n);
  });

  it('counts words to be spoken by their length, figures as the words they stand for, and slow speech as long', () => {
    const characters = units({ character: '0.000001' });
    const tokens = units({ output_token: '0.000001' });
    const spoken = (json: Record<string, unknown>, sheet: UnitPriceSheet): bigint => worstOf(ask('speech', json), sheet) / 1_000_000n;
    expect(spoken({ input: 'Grüße 😀', instructions: 'softly' }, characters)).toBe(8n);
    expect(spoken({ input: '你好, Ю' }, characters)).toBe(2n * 2n + 2n + 2n);
    expect(spoken({ input: '漢'.repeat(1_000_000) }, characters)).toBe(2_000_000n);
    expect(spoken({ input: 'abc' }, tokens)).toBe(530n);
    expect(spoken({ input: '123' }, tokens)).toBe(590n);
    expect(spoken({ input: 'abc', speed: 0.5 }, tokens)).toBe(1060n);
  });

  it('takes numbers that are none, or none too large', () => {
    for (const n of [Infinity, 1e300, -1, Number.NaN, '5', null]) {
      expect(worstOf(ask('image', { n, size: '99999x99999' }), units({ image: '1', output_image_token: '1' })) > 0n).toBe(true);
    }
  });
});
