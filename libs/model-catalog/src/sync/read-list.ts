import { z } from 'zod';
import { catalogDocument } from '../live/catalog-document.schema';
import { toDecimalText } from './decimal-text';
import type { ListFormat } from './list-formats';
import type { ListedModel, ListedTier, ReadList } from './listed-model';

/** A list that is not of the shape that was named. */
export class ListUnreadable extends Error {
  override readonly name = 'ListUnreadable';
}

const count = z.number().int().min(1).optional().catch(undefined);
const idList = z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1).max(300) })), has_more: z.boolean().optional() });
const pricedList = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string().min(1).max(300),
      description: z.string().optional().catch(undefined),
      context_length: count,
      pricing: z.record(z.string(), z.unknown()).optional().catch(undefined),
      top_provider: z.looseObject({ max_completion_tokens: count }).optional().catch(undefined),
    }),
  ),
});
const priceMap = z.record(z.string(), z.unknown());

/** Reads a list of models as somebody else publishes it. Throws `ListUnreadable`. */
export function readList(text: string, format: ListFormat): ReadList {
  const value = parseJson(text);
  switch (format.shape) {
    case 'ids':
      return readIds(check(idList, value), format.provider);
    case 'priced-list':
      return readPricedList(check(pricedList, value), format.provider);
    case 'price-map':
      return { models: readPriceMap(check(priceMap, value), format.providers), complete: [], rows: [] };
    case 'rows':
      return { models: [], complete: [], rows: check(catalogDocument, Array.isArray(value) ? { models: value } : value).models };
  }
}

function readIds({ data, has_more: hasMore = false }: z.output<typeof idList>, provider: string): ReadList {
  return { models: data.map(({ id }) => ({ provider, upstreamModel: id, facts: {} })), complete: hasMore ? [] : [provider], rows: [] };
}

function readPricedList({ data }: z.output<typeof pricedList>, provider: string): ReadList {
  const models = data.map(({ id, description, context_length: contextWindow, pricing = {}, top_provider: top }): ListedModel => {
    const tier = readTier(0, [pricing['prompt'], pricing['completion'], pricing['input_cache_read'], pricing['input_cache_write']]);
    const facts = withoutGaps({ contextWindow, maxOutputTokens: top?.max_completion_tokens, description: description?.slice(0, 300) });
    const search = toDecimalText(pricing['web_search']);
    return {
      provider,
      upstreamModel: id,
      facts,
      ...(tier === undefined ? {} : { tiers: [tier], search: search === '0' ? undefined : search }),
    };
  });
  return { models, complete: [provider], rows: [] };
}

const ABOVE = /_above_(\d+)k_tokens$/;

function readPriceMap(map: Record<string, unknown>, providers: Readonly<Record<string, string>>): ListedModel[] {
  return Object.entries(map).flatMap(([name, value]): ListedModel[] => {
    if (typeof value !== 'object' || value === null) return [];
    const entry = value as Record<string, unknown>;
    const listed = String(entry['litellm_provider']);
    const provider = Object.hasOwn(providers, listed) ? providers[listed] : undefined;
    if (provider === undefined || entry['mode'] !== 'chat') return [];
    const tiers = readTiers(entry);
    const facts = withoutGaps({
      contextWindow: count.parse(entry['max_input_tokens']),
      maxOutputTokens: count.parse(entry['max_output_tokens']),
    });
    // Some are named with their provider before them.
    const upstreamModel = name.startsWith(`${listed}/`) ? name.slice(listed.length + 1) : name;
    return [{ provider, upstreamModel, facts, ...(tiers.length === 0 ? {} : { tiers }) }];
  });
}

function readTiers(entry: Record<string, unknown>): ListedTier[] {
  const thresholds = new Set(
    Object.keys(entry).flatMap((name) => (ABOVE.exec(name)?.[1] === undefined ? [] : [Number(ABOVE.exec(name)?.[1])])),
  );
  const read = (suffix: string, threshold: number): ListedTier[] => {
    const names = ['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost', 'cache_creation_input_token_cost'];
    const tier = readTier(
      threshold,
      names.map((name) => entry[name + suffix]),
    );
    if (tier === undefined) return [];
    const hour = suffix === '' ? toDecimalText(entry['cache_creation_input_token_cost_above_1hr']) : undefined;
    return [hour === undefined ? tier : { ...tier, cacheWrite1h: hour }];
  };
  const above = [...thresholds].sort((a, b) => a - b).flatMap((thousands) => read(`_above_${thousands}k_tokens`, thousands * 1_000));
  const first = read('', 0);
  return first.length === 0 ? [] : [...first, ...above];
}

function readTier(threshold: number, [input, output, cachedRead, cacheWrite]: readonly unknown[]): ListedTier | undefined {
  const [charged, replied] = [toDecimalText(input), toDecimalText(output)];
  if (charged === undefined || replied === undefined) return undefined;
  return { threshold, input: charged, output: replied, cachedRead: toDecimalText(cachedRead), cacheWrite: toDecimalText(cacheWrite) };
}

function withoutGaps<Facts extends object>(facts: Facts): { [Name in keyof Facts]?: NonNullable<Facts[Name]> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Facts]?: NonNullable<Facts[Name]>;
  };
}

function check<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ListUnreadable(`The list is not of this format: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'unknown'}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ListUnreadable('The list is no JSON.', { cause });
  }
}
