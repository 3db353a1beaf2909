import type { Citation, WebSearchResult } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { isBeforeThird } from './model-age';

export type Grounding = {
  readonly queries: readonly string[];
  readonly results: readonly WebSearchResult[];
  readonly citations: readonly Citation[];
};

/** What the search behind an answer found, and which of its spans rest on it. `text` is the whole text of the answer. */
export function decodeGrounding(value: unknown, text: string): Grounding | undefined {
  const grounding = asRecord(value);
  if (grounding === undefined) return undefined;
  const queries = asArray(grounding['webSearchQueries']).filter((query) => typeof query === 'string');
  const results = asArray(grounding['groundingChunks']).map((chunk) => readChunk(asRecord(chunk) ?? {}));
  if (queries.length === 0 && results.length === 0) return undefined;
  const bytes = Buffer.from(text, 'utf8');
  const citations = asArray(grounding['groundingSupports']).flatMap((support) => readSupport(asRecord(support) ?? {}, results, bytes));
  return { queries, results, citations };
}

function readChunk(chunk: JsonRecord): WebSearchResult {
  const page = asRecord(chunk['web']) ?? asRecord(chunk['maps']) ?? asRecord(chunk['retrievedContext']) ?? {};
  return { url: asText(page['uri']) ?? '', title: asText(page['title']) ?? '' };
}

/** Offsets count bytes; ours count characters. */
function readSupport(support: JsonRecord, results: readonly WebSearchResult[], bytes: Buffer): Citation[] {
  const segment = asRecord(support['segment']) ?? {};
  const endByte = typeof segment['endIndex'] === 'number' ? segment['endIndex'] : 0;
  const startByte = typeof segment['startIndex'] === 'number' ? segment['startIndex'] : 0;
  const isInside = endByte > startByte && endByte <= bytes.length;
  const span = isInside ? { start: bytes.toString('utf8', 0, startByte).length, end: bytes.toString('utf8', 0, endByte).length } : {};
  const citedText = asText(segment['text']);
  return asArray(support['groundingChunkIndices']).flatMap((index) => {
    const page = typeof index === 'number' ? results[index] : undefined;
    const address = page?.url === '' ? {} : { url: page?.url ?? '' };
    return page === undefined ? [] : [{ ...address, title: page.title, ...(citedText === undefined ? {} : { citedText }), ...span }];
  });
}

/** Older models bill an answer that searched, newer ones each search. */
export function countSearches(grounding: Grounding | undefined, upstreamModel: string): number {
  if (grounding === undefined || grounding.queries.length === 0) return 0;
  return isBeforeThird(upstreamModel) ? 1 : grounding.queries.length;
}
