import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuiltInCatalog, encodeModelRecord, type ModelRecord } from '@weir/model-catalog';

/** The folder of model facts that the data files were made from, when it exists beside the checkout. */
const SOURCE = join(__dirname, '../../../../shared/data/catalog');
const AS_OF = '2026-08-22';
const isRequired = process.env['REQUIRE_REAL_PARTS'] === '1' && process.env['REQUIRE_CAPTURES'] !== '0';
const isThere = existsSync(SOURCE);
if (!isThere) process.stderr.write(`SKIPPED: no ${SOURCE}, so the data files are NOT compared with their source\n`);
// Where nothing may be skipped, the specs run and fail for want of the source.
const describeWithSource = isThere || isRequired ? describe : describe.skip;

type Source = Record<string, unknown> & { id: string; api: string; provider: string; pricing: unknown };
type Numbers = Record<string, number | null>;

describeWithSource('data files beside their source', () => {
  const catalog = createBuiltInCatalog(() => Date.parse(AS_OF));
  const source = existsSync(SOURCE) ? (JSON.parse(readFileSync(join(SOURCE, 'models.json'), 'utf8')) as Source[]) : [];
  const encoded = (record: ModelRecord) => JSON.parse(encodeModelRecord(record, Date.parse(AS_OF))) as Record<string, unknown>;
  const find = (id: string): ModelRecord => {
    const record = catalog.find(id);
    if (record === undefined) throw new Error(`${id} is missing`);
    return record;
  };

  it('hold the same models of the same providers, and the sandbox besides', () => {
    const count = (providers: string[]) => {
      const counts: Record<string, number> = {};
      for (const provider of providers.sort()) counts[provider] = (counts[provider] ?? 0) + 1;
      return counts;
    };
    expect(source).toHaveLength(1_297);
    // The catalogue makes twins behind the responses interface while it loads.
    const twins = catalog
      .list('chat')
      .filter(({ id, provider }) => provider === 'openai-responses' && source.every((model) => model.id !== id));
    const listed = catalog.list().filter((record) => !twins.includes(record));
    expect(twins).toHaveLength(34);
    expect(count(listed.map(({ provider }) => provider))).toEqual({ ...count(source.map(({ provider }) => provider)), sandbox: 9 });
  });

  it('state every price of the source to the digit, and none that it does not state', () => {
    let compared = 0;
    for (const model of source) {
      const theirs = (Array.isArray(model.pricing) ? model.pricing : [model.pricing]) as Numbers[];
      const ours = encoded(find(model.id))['pricing'];
      const pricing = (Array.isArray(ours) ? ours : [ours]) as Numbers[];
      expect(pricing).toHaveLength(theirs.length);
      theirs.forEach((numbers, index) => {
        const stated = Object.entries(numbers).filter(([, value]) => value !== null);
        expect({ id: model.id, ...pricing[index] }).toMatchObject({ id: model.id, ...Object.fromEntries(stated) });
        if (model.api !== 'chat') expect(Object.keys(pricing[index] ?? {}).sort()).toEqual(stated.map(([key]) => key).sort());
        compared += stated.length;
      });
    }
    expect(compared).toBeGreaterThan(5_000);
  });

  it('keep as unknown what the source does not state', () => {
    for (const model of source.filter(({ api }) => api === 'chat')) {
      const [price] = find(model.id).prices;
      if (price === undefined || !('tiers' in price)) throw new Error(`${model.id} has no tiers`);
      const raw = price.tiers.map((tier) =>
        [tier.cachedRead, tier.cacheWrite, tier.cacheWrite5m, tier.cacheWrite1h].map((text) => text && Number(text)),
      );
      const theirs = (model.pricing as Numbers[]).map((tier) => [
        tier['cached_price'],
        tier['caching_price'],
        tier['caching_5m_price'],
        tier['caching_1h_price'],
      ]);
      expect({ id: model.id, raw }).toEqual({ id: model.id, raw: theirs });
    }
  });

  it('agree with the source in every flag, limit and date that the public record shows', () => {
    const REWORDED = ['pricing', 'pricing_units', 'description', 'privacy_comments', 'provider', 'upstream_model', 'created', 'updated'];
    for (const model of source) {
      const record = find(model.id);
      const ours = encoded(record);
      const stated = Object.entries(model).filter(([key]) => !REWORDED.includes(key));
      // What the source has no value for is left out of public records, but for the place where prompts are processed.
      for (const [key, value] of stated) {
        expect([model.id, key, ours[key] ?? null]).toEqual([model.id, key, key === 'geolocation' ? (value ?? 'unknown') : value]);
      }
      expect([record.provider, record.upstreamModel]).toEqual([model.provider, model['upstream_model']]);
      expect([record.created, record.updated]).toEqual([model['created'], model['updated']]);
    }
  });
});
