import { measuredUnits, NO_MEDIA_USAGE, type MediaUsage } from '@weir/canonical';
import type { Modality, UnitPriceSheet } from '@weir/contracts';
import { createBuiltInCatalog, UNITS_OF_MODALITY } from '@weir/model-catalog';
import { priceUnits } from '@weir/pricing';
import { boundRequest } from '../bound-request';
import { measurePrompt } from '../measure-prompt';
import { readAskedImages } from '../read-asked-output';
import { measureMedia, type MediaFacts } from './measure-media';
import { boundMediaUsage, findMostUsage } from './most-usage';

type Unitary = Exclude<Modality, 'chat'>;
type Request = Pick<MediaFacts, 'json' | 'imageFiles' | 'audioSeconds'>;
type Row = { readonly id: string; readonly modality: Unitary; readonly sheet: UnitPriceSheet; readonly maxOutputTokens: number | null };

const catalog = createBuiltInCatalog(() => Date.UTC(2026, 10, 21));
const ROWS = (Object.keys(UNITS_OF_MODALITY) as Unitary[]).flatMap((modality) =>
  catalog.list(modality).map((record): Row => {
    const sheet = catalog.priceSheet(record);
    if (sheet.kind !== 'units') throw new Error(`${record.id} is priced by tiers`);
    return { id: record.id, modality, sheet, maxOutputTokens: record.maxOutputTokens };
  }),
);
const NO_FILES = { imageFiles: 0, audioSeconds: 0 };
const REQUESTS: Readonly<Record<Unitary, readonly Request[]>> = {
  embedding: [{ json: { input: 'a' }, ...NO_FILES }],
  image: [
    { json: { prompt: 'a', quality: 'low' }, ...NO_FILES },
    { json: { prompt: 'a kite', n: 3, size: '1792x1024' }, ...NO_FILES, imageFiles: 2 },
  ],
  speech: [
    { json: { input: 'a' }, ...NO_FILES },
    { json: { input: '\u4f60\u597d, 123', speed: 0.25 }, ...NO_FILES },
  ],
  transcription: [
    { json: {}, ...NO_FILES, audioSeconds: 1 },
    { json: { prompt: 'a' }, ...NO_FILES, audioSeconds: 61.25 },
  ],
};

type Count = Exclude<keyof MediaUsage, 'source' | 'isDoubtful'>;
const COUNTS = Object.keys(NO_MEDIA_USAGE).filter((name) => name !== 'source') as Count[];
const SIZES = [1, 2, 60, 61.5, 100, 13_000, 1e6, 2 ** 40];
const allOf = (counts: readonly Count[], size: number): Partial<MediaUsage> => Object.fromEntries(counts.map((name) => [name, size]));
const PAIRS = COUNTS.flatMap((one, at) => COUNTS.slice(at + 1).map((other): Count[] => [one, other]));
/** Every count alone, every two of them, all together; durations beyond any number. */
const REPORTS: readonly MediaUsage[] = [
  ...SIZES.flatMap((size) => [...COUNTS.map((name) => [name]), ...PAIRS, COUNTS].map((counts) => allOf(counts, size))),
  ...[1e300, Number.POSITIVE_INFINITY, Number.NaN].map((seconds) => ({ seconds })),
].map((counts) => ({ ...NO_MEDIA_USAGE, ...counts }));

function mostOf({ modality, maxOutputTokens }: Omit<Row, 'id'>, request: Request): MediaUsage {
  const { choices: count } = modality === 'image' ? readAskedImages(request.json) : { choices: 1 };
  const bytes = Buffer.byteLength(JSON.stringify(request.json));
  const isMedia = modality !== 'embedding';
  return findMostUsage({
    ...{ modality, maxOutputTokens, textTokens: measurePrompt(request.json, bytes).textTokens },
    media: isMedia ? measureMedia({ modality, ...request, count }) : undefined,
  });
}

function holdFor({ modality, sheet, maxOutputTokens }: Row, request: Request): { readonly heldPico: bigint; readonly tokens: number } {
  const { json } = request;
  const asked = modality === 'image' ? readAskedImages(json) : { tokens: null, choices: 1 };
  const { worstPico, attempts } = boundRequest({
    ...{ modality, asked, prompt: measurePrompt(json, Buffer.byteLength(JSON.stringify(json))) },
    media: modality === 'embedding' ? undefined : measureMedia({ modality, ...request, count: asked.choices }),
    attempts: [{ prices: sheet, contextWindow: null, maxOutputTokens, isSearching: false }],
  });
  const [attempt] = attempts;
  return { heldPico: worstPico, tokens: (attempt?.inputTokens ?? 0) + (attempt?.outputTokens ?? 0) };
}

/** Pictures at each of the prices that a sheet has for them. Something that costs nothing keeps a report of nothing from being unpriced. */
function chargesOf(sheet: UnitPriceSheet, usage: MediaUsage): bigint[] {
  const { image = 0, ...units } = measuredUnits(usage, sheet.units);
  const nothing = Object.fromEntries(Object.keys(sheet.units).map((unit) => [unit, 0]));
  const kinds = Object.keys(sheet.units).filter((unit) => unit.startsWith('image'));
  return (kinds.length === 0 ? ['image'] : kinds).map((kind) => priceUnits(sheet, { ...nothing, ...units, [kind]: image }));
}

describe('the most that a request can be charged for', () => {
  it('is asked of rows that are charged by every unit there is', () => {
    const priced = new Set(ROWS.flatMap(({ sheet }) => Object.keys(sheet.units).map((unit) => unit.replace(/:.*/, ''))));
    expect([...priced].sort()).toEqual([...new Set(Object.values(UNITS_OF_MODALITY).flatMap((units) => Object.keys(units)))].sort());
  });

  it.each(ROWS)('is held for $id, whatever its provider reports', (row) => {
    for (const request of REQUESTS[row.modality]) {
      const { heldPico, tokens } = holdFor(row, request);
      const most = mostOf(row, request);
      for (const reported of REPORTS) {
        const charged = boundMediaUsage(reported, most);
        const over = chargesOf(row.sheet, charged).find((pico) => pico > heldPico);
        if (over !== undefined) expect({ reported, over }).toBe(`at most ${heldPico}`);
        const { inputTextTokens, inputImageTokens, inputAudioTokens, outputTextTokens, outputImageTokens, outputAudioTokens } = charged;
        const words = inputTextTokens + inputAudioTokens + outputTextTokens + outputAudioTokens;
        const all = words + inputImageTokens + outputImageTokens;
        if (all > tokens) expect({ reported, all }).toBe(`at most ${tokens} tokens`);
      }
      expect(chargesOf(row.sheet, boundMediaUsage(most, most)).some((pico) => pico === heldPico)).toBe(true);
    }
  });
});

describe('what a provider reported of pictures and sound', () => {
  const findMost = (modality: Unitary, json: Record<string, unknown>, more: Partial<MediaFacts & { maxOutputTokens: number }> = {}) => {
    const { maxOutputTokens = null, ...facts } = more;
    return findMostUsage({ modality, media: measureMedia({ modality, json, ...NO_FILES, ...facts }), maxOutputTokens });
  };
  const reported = (changes: Partial<MediaUsage>): MediaUsage => ({ ...NO_MEDIA_USAGE, ...changes });
  type Case = [string, MediaUsage, Partial<MediaUsage>, Partial<MediaUsage>, Partial<MediaUsage>];
  it.each<Case>([
    [
      'tokens of pictures, beside words',
      findMost('image', { prompt: 'a kite' }, { count: 2 }),
      { outputImageTokens: 2 * 6_540, outputTextTokens: 8_000 },
      { outputImageTokens: 500_000, outputTextTokens: 30_000 },
      { outputImageTokens: 20_000, outputTextTokens: 20_000 },
    ],
    [
      'pictures of a low quality, beyond their own bound',
      findMost('image', { prompt: 'a kite', quality: 'low' }),
      { outputImageTokens: 3_000 },
      { outputImageTokens: 13_000 },
      { outputImageTokens: 3_000 },
    ],
    [
      'tokens that went in',
      findMost('image', { prompt: 'a kite' }),
      { inputTextTokens: 200 },
      { inputImageTokens: 3_000, inputTextTokens: 1_000 },
      { inputImageTokens: 0, inputTextTokens: 262 },
    ],
    [
      'pictures that went in and are reported as words',
      findMost('image', { prompt: 'a kite' }, { imageFiles: 1 }),
      { inputTextTokens: 200, inputImageTokens: 3_000 },
      { inputTextTokens: 3_000 },
      { inputTextTokens: 262, inputImageTokens: 2_738 },
    ],
    ['characters', findMost('speech', { input: 'x'.repeat(150) }), { characters: 150 }, { characters: 151 }, { characters: 150 }],
    ['characters of a short text', findMost('speech', { input: 'x' }), { characters: 1 }, { characters: 100 }, { characters: 1 }],
    [
      'signs that some count as two',
      findMost('speech', { input: '\u4f60\u597d' }),
      { characters: 4 },
      { characters: 5 },
      { characters: 4 },
    ],
    [
      'tokens of speech',
      findMost('speech', { input: '1234567890' }),
      { outputAudioTokens: 800 },
      { outputAudioTokens: 35_000 },
      { outputAudioTokens: 800 },
    ],
    [
      'seconds',
      findMost('transcription', {}, { audioSeconds: 7_200 }),
      { seconds: 7_200, inputAudioTokens: 230_400, outputTextTokens: 60_000 },
      { seconds: 72_001 },
      { seconds: 7_200 },
    ],
    [
      'seconds of a short recording, rounded up',
      findMost('transcription', {}, { audioSeconds: 0.96 }),
      { seconds: 1 },
      { seconds: 60 },
      { seconds: 1 },
    ],
    [
      'tokens of what was written',
      findMost('transcription', {}, { audioSeconds: 10 }),
      { outputTextTokens: 1_300 },
      { outputTextTokens: 20_000 },
      { outputTextTokens: 1_300 },
    ],
    [
      'thoughts of a model that may have many',
      findMost('transcription', {}, { audioSeconds: 1, maxOutputTokens: 65_536 }),
      { outputTextTokens: 65_536 },
      { outputTextTokens: 65_537 },
      { outputTextTokens: 65_536 },
    ],
  ])('stands up to its bound, and is cut to it: %s', (_, most, possible, impossible, charged) => {
    const whole = reported(possible);
    expect(boundMediaUsage(whole, most)).toBe(whole);
    expect(boundMediaUsage(reported(impossible), most)).toEqual(reported({ ...charged, source: 'estimate' }));
  });
});
