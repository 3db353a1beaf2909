import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MODALITIES, priceSheet } from '@weir/contracts';
import { createBuiltInCatalog } from './built-in-catalog';
import { DATA_FILES } from './data-files';
import { encodeModelList } from './encode-model-record';
import { imageUnit } from './unit-names';

const catalog = createBuiltInCatalog();

describe('built-in catalogue', () => {
  it('holds every data file there is', () => {
    expect([...DATA_FILES]).toEqual(readdirSync(join(__dirname, '..', 'data', 'models')).sort());
  });

  it('lists each model once, in order of id, under exactly one modality', () => {
    const ids = catalog.list().map((record) => record.id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const perModality = MODALITIES.map((modality) => catalog.list(modality).length);
    expect(perModality).toEqual([1_200, 57, 47, 20, 16]);
    expect(ids).toHaveLength(1_340);
  });

  it('finds every record by its id, and prices it by a sheet that may travel in a passport', () => {
    for (const record of catalog.list()) {
      expect(catalog.find(record.id)).toBe(record);
      const sheet = catalog.priceSheet(record);
      expect(priceSheet.safeParse(sheet).error).toBeUndefined();
      expect(catalog.priceSheet(record)).toBe(sheet);
      expect(catalog.facts(record).id).toBe(record.id);
    }
  });

  it('has a twin behind the responses interface for every chat model of OpenAI that is served there, at the same prices', () => {
    const chat = catalog.list('chat').filter(({ id }) => id.startsWith('openai/'));
    const without = chat.filter(({ id }) => catalog.find(`openai-responses/${id.slice('openai/'.length)}`) === undefined);

    expect(chat).toHaveLength(72);
    expect(without.map(({ id }) => id)).toEqual(chat.map(({ id }) => id).filter((id) => /-search-(preview|api)/.test(id)));
    expect(without).toHaveLength(6);
    const regional = catalog.list('chat').filter(({ id, provider }) => id.startsWith('openai-eu/') && provider === 'openai');
    expect(regional).toHaveLength(12);
    for (const { id, upstreamModel } of regional) {
      const beside = catalog.find(id.replace('openai-eu/', 'openai-responses-eu/'));
      expect(beside).toMatchObject({ provider: 'openai-responses', region: 'eu', geolocation: 'EU', upstreamModel });
      expect(catalog.find(`openai-responses/${id.split('/').at(-1)}@eu`)).toBe(beside);
    }
    const [one, twin] = ['openai/gpt-4o-mini', 'openai-responses/gpt-4o-mini'].map((id) => catalog.find(id));
    if (one === undefined || twin === undefined) throw new Error('the default model has no twin');
    expect(twin).toEqual({ ...one, id: 'openai-responses/gpt-4o-mini', provider: 'openai-responses' });
    expect(catalog.priceSheet(twin)).toEqual(catalog.priceSheet(one));
    expect(JSON.parse(encodeModelList([one, twin]))).toMatchObject({ data: [{ id: one.id }, { id: twin.id }] });
  });

  it('has a priced and a free model of its own', () => {
    const [priced, free] = ['sandbox/chat', 'sandbox/chat-free'].map((id) => catalog.find(id));
    if (priced === undefined || free === undefined) throw new Error('no sandbox model');
    expect(catalog.priceSheet(priced)).toMatchObject({ tiers: [{ input: '0.000001', cachedRead: '0.0000001', output: '0.000004' }] });
    expect([priced, free].map(catalog.isFree)).toEqual([false, true]);
    expect(priced).toMatchObject({ contextWindow: 128_000, maxOutputTokens: 16_384, dataPolicy: { retention: false } });
    const { id: _id, maxOutputTokens: _max, contextWindow: _window, ...flags } = catalog.facts(priced);
    expect(Object.values(flags).every((flag) => flag === true)).toBe(true);
  });

  it('has an embedding model of its own', () => {
    const record = catalog.find('sandbox/embedding');
    expect(record).toMatchObject({ modality: 'embedding', dimensions: 1536 });
    expect(record && catalog.priceSheet(record)).toMatchObject({ kind: 'units', units: { input_token: '0.00000002' } });
  });

  it('carries prices of audio into every tier of models that have them, and of no others', () => {
    const sheetOf = (id: string) => {
      const record = catalog.find(id);
      return record && catalog.priceSheet(record);
    };
    expect(sheetOf('openai/gpt-audio')).toMatchObject({
      tiers: [{ input: '0.0000025', output: '0.00001', audioInput: '0.000032', audioOutput: '0.000064' }],
    });
    expect(JSON.stringify(sheetOf('openai/gpt-5-nano'))).not.toContain('audio');
  });

  it('knows 26 free models', () => {
    expect(catalog.list().filter(catalog.isFree)).toHaveLength(26);
  });

  it('encodes all models as one list of public records', () => {
    const { data } = JSON.parse(encodeModelList(catalog.list())) as { data: Record<string, unknown>[] };
    expect(data).toHaveLength(1_340);
    for (const record of data) {
      expect(Number.isInteger(record['created']) && Number.isInteger(record['updated'])).toBe(true);
      for (const fact of ['owned_by', 'description', 'geolocation', 'privacy_comments']) {
        expect(record).toEqual(expect.objectContaining({ [fact]: expect.stringMatching(/\S/) as string }));
      }
      expect(record['description']).not.toBe('unknown');
    }
  });

  it.each([
    ['image', ['input_image', 'input_text', 'output_image', 'output_text']],
    ['speech', ['input_character', 'input_token', 'output_token']],
    ['transcription', ['input_second', 'input_token', 'output_token']],
  ] as const)('shows what every %s model costs, in public units', (modality, keys) => {
    const { data } = JSON.parse(encodeModelList(catalog.list(modality))) as { data: { pricing: Record<string, number> }[] };
    const shown = data.map(({ pricing }) => Object.entries(pricing));

    expect(shown.filter((prices) => prices.length === 0 || prices.some(([, price]) => !(price > 0)))).toEqual([]);
    expect([...new Set(shown.flat().map(([key]) => key))].sort()).toEqual([...keys]);
  });

  it('prices special qualities and sizes of images apart', () => {
    const record = catalog
      .list('image')
      .find(({ prices }) => prices.some((price) => 'units' in price && 'image:hd:1024x1792' in price.units));
    if (record === undefined) throw new Error('no model with image variants');
    const sheet = catalog.priceSheet(record);
    if (sheet.kind !== 'units') throw new Error('not priced by units');
    expect(sheet.units[imageUnit(sheet, 'hd', '1024x1792')]).toBe('0.12');
    expect(sheet.units[imageUnit(sheet, 'standard', '1024x1024')]).toBe('0.04');
    expect(imageUnit(sheet, 'unheard', 'of')).toBe('image');
  });
});
