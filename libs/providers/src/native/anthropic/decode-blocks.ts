import { stringifyExactJson, type Citation, type CitedDocument, type ContentBlock, type WebSearchResult } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';

export type DecodeContext = { readonly family: string; readonly fallbackModel: string; readonly customTools: ReadonlySet<string> };

/** Blocks of a whole reply. A search and its results are two blocks there and one here. */
export function decodeBlocks(content: readonly unknown[], context: DecodeContext): ContentBlock[] {
  const records = content.map(asRecord).filter((block) => block !== undefined);
  const results = new Map<string, JsonRecord>();
  const searches = new Set<string>();
  for (const block of records) {
    if (block['type'] === 'web_search_tool_result') results.set(String(block['tool_use_id']), block);
    else if (isWebSearch(block)) searches.add(String(block['id']));
  }
  return records.flatMap((block) => decodeBlock(block, { results, searches }, context));
}

type Searches = { readonly results: ReadonlyMap<string, JsonRecord>; readonly searches: ReadonlySet<string> };

function decodeBlock(block: JsonRecord, { results, searches }: Searches, context: DecodeContext): ContentBlock[] {
  switch (block['type']) {
    case 'text': {
      const citations = asArray(block['citations']).map((citation) => decodeCitation(citation));
      return [{ type: 'text', text: asText(block['text']) ?? '', ...(citations.length === 0 ? {} : { citations }) }];
    }
    case 'thinking': {
      const signature = asText(block['signature']);
      const state = signature === undefined ? {} : { state: { family: context.family, kind: 'signature' as const, value: signature } };
      return [{ type: 'reasoning', text: asText(block['thinking']) ?? '', ...state }];
    }
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', state: { family: context.family, kind: 'redacted', value: asText(block['data']) ?? '' } }];
    case 'tool_use':
      return [decodeToolUse(block, context)];
    case 'server_tool_use':
      return isWebSearch(block) ? [decodeSearch(block, results.get(String(block['id'])), context)] : [toOpaque(block)];
    case 'web_search_tool_result':
      return searches.has(String(block['tool_use_id'])) ? [] : [toOpaque(block)];
    default:
      return [toOpaque(block)];
  }
}

export function toOpaque(block: JsonRecord): Extract<ContentBlock, { type: 'opaque' }> {
  return { type: 'opaque', family: 'messages', raw: block };
}

export function isWebSearch(block: JsonRecord): boolean {
  return block['type'] === 'server_tool_use' && block['name'] === 'web_search';
}

function decodeToolUse(block: JsonRecord, { customTools }: DecodeContext): ContentBlock {
  const name = asText(block['name']) ?? '';
  const text = stringifyExactJson(block['input'] ?? {});
  const isCustom = customTools.has(name);
  return {
    type: 'tool-call',
    id: asText(block['id']) ?? '',
    name,
    kind: isCustom ? 'custom' : 'function',
    argumentsText: isCustom ? unwrapCustomInput(text) : text,
  };
}

function decodeSearch(block: JsonRecord, result: JsonRecord | undefined, context: DecodeContext): ContentBlock {
  return { type: 'web-search', id: asText(block['id']) ?? '', query: readQuery(block['input']), ...decodeResults(result, context) };
}

export function readQuery(input: unknown): string {
  return asText(asRecord(input)?.['query']) ?? '';
}

type SearchOutcome = { readonly results: readonly WebSearchResult[]; readonly errorCode?: string };

/** The results' encrypted content is what the provider needs to see again: state of the result. */
export function decodeResults(block: JsonRecord | undefined, { family }: DecodeContext): SearchOutcome {
  const content = block?.['content'];
  if (!Array.isArray(content)) return { results: [], errorCode: asText(asRecord(content)?.['error_code']) ?? 'unavailable' };
  const results = content.map(asRecord).filter((result) => result !== undefined);
  return {
    results: results.map((result) => {
      const age = asText(result['page_age']);
      const encrypted = asText(result['encrypted_content']);
      return {
        url: asText(result['url']) ?? '',
        title: asText(result['title']) ?? '',
        ...(age === undefined ? {} : { age }),
        ...(encrypted === undefined ? {} : { state: { family, kind: 'encrypted' as const, value: encrypted } }),
      };
    }),
  };
}

export function decodeCitation(value: unknown): Citation {
  const raw = asRecord(value) ?? {};
  const url = asText(raw['url']) ?? asText(raw['source']);
  const title = asText(raw['title']) ?? asText(raw['document_title']);
  const citedText = asText(raw['cited_text']);
  return {
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(citedText === undefined ? {} : { citedText }),
    ...decodeDocument(raw),
    original: { family: 'messages', raw },
  };
}

const PLACES = {
  char_location: { unit: 'character', start: 'start_char_index', end: 'end_char_index' },
  page_location: { unit: 'page', start: 'start_page_number', end: 'end_page_number' },
  content_block_location: { unit: 'block', start: 'start_block_index', end: 'end_block_index' },
} as const;

/** Which document of the request is cited, and where in it. */
function decodeDocument(raw: JsonRecord): { document?: CitedDocument } {
  const names = Object.entries(PLACES).find(([type]) => type === raw['type'])?.[1];
  const index = raw['document_index'];
  if (names === undefined || typeof index !== 'number') return {};
  const id = asText(raw['file_id']);
  const { [names.start]: start, [names.end]: end } = raw;
  const isPlaced = typeof start === 'number' && typeof end === 'number';
  return { document: { index, ...(id === undefined ? {} : { id }), ...(isPlaced ? { place: { unit: names.unit, start, end } } : {}) } };
}
