import type { Citation, ContentBlock, FinishReason, WebSearchResult } from '@weir/canonical';
import { asArray, asNumber, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';

export type DecodeContext = { readonly family: string; readonly fallbackModel: string };

/** One output item as content blocks: a message's parts are blocks of their own. */
export function decodeItem(item: JsonRecord, { family }: DecodeContext): ContentBlock[] {
  switch (item['type']) {
    case 'message':
      return asArray(item['content']).flatMap((part) => decodePart(asRecord(part) ?? {}));
    case 'function_call':
      return [
        {
          type: 'tool-call',
          id: callIdOf(item),
          name: asText(item['name']) ?? '',
          kind: 'function',
          argumentsText: asText(item['arguments']) ?? '{}',
        },
      ];
    case 'custom_tool_call':
      return [
        {
          type: 'tool-call',
          id: callIdOf(item),
          name: asText(item['name']) ?? '',
          kind: 'custom',
          argumentsText: asText(item['input']) ?? '',
        },
      ];
    case 'reasoning': {
      const summary = joinTexts(item['summary']);
      const text = summary === '' ? joinTexts(item['content']) : summary;
      const encrypted = asText(item['encrypted_content']);
      return [
        {
          type: 'reasoning',
          text,
          ...(summary === '' ? {} : { isSummary: true }),
          ...(encrypted === undefined ? {} : { state: { family, kind: 'encrypted', value: encrypted } }),
        },
      ];
    }
    case 'web_search_call':
      return [{ type: 'web-search', id: asText(item['id']) ?? mintId('ws_'), ...decodeSearch(item) }];
    default:
      return [{ type: 'opaque', family: 'responses', raw: item }];
  }
}

/** The chances of all tokens, in the chat-completions shape; undefined where none were asked for. */
export function readLogprobs(items: readonly JsonRecord[]): { readonly content: unknown[] } | undefined {
  const parts = items.flatMap((item) => (item['type'] === 'message' ? asArray(item['content']) : []));
  const content = parts.flatMap((part) => asArray(asRecord(part)?.['logprobs']));
  return content.length === 0 ? undefined : { content };
}

export function callIdOf(item: JsonRecord): string {
  return asText(item['call_id']) ?? asText(item['id']) ?? mintId('call_');
}

function decodePart(part: JsonRecord): ContentBlock[] {
  if (part['type'] === 'refusal') return [{ type: 'refusal', text: asText(part['refusal']) ?? '' }];
  if (part['type'] !== 'output_text') return [];
  const citations = asArray(part['annotations']).flatMap((annotation) => decodeAnnotation(annotation));
  return [{ type: 'text', text: asText(part['text']) ?? '', ...(citations.length === 0 ? {} : { citations }) }];
}

export function decodeAnnotation(value: unknown): Citation[] {
  const raw = asRecord(value);
  if (raw === undefined) return [];
  const url = asText(raw['url']);
  const title = asText(raw['title']) ?? asText(raw['filename']);
  const id = asText(raw['file_id']);
  const { start_index: start, end_index: end } = raw;
  const span = typeof start === 'number' && typeof end === 'number' && end > start ? { start, end } : {};
  return [
    {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...span,
      ...(id === undefined ? {} : { document: { id } }),
      original: { family: 'responses', raw },
    },
  ];
}

/** Paragraphs of a summary are parts of their own. */
function joinTexts(parts: unknown): string {
  return asArray(parts)
    .map((part) => asText(asRecord(part)?.['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

export function decodeSearch(item: JsonRecord): { query: string; results: WebSearchResult[]; errorCode?: string } {
  const action = asRecord(item['action']) ?? {};
  const query = asText(action['query']) ?? asText(asArray(action['queries'])[0]) ?? asText(action['url']) ?? '';
  const results = asArray(action['sources']).flatMap((source) => {
    const url = asText(asRecord(source)?.['url']);
    return url === undefined ? [] : [{ url, title: asText(asRecord(source)?.['title']) ?? '' }];
  });
  return { query, results, ...(item['status'] === 'failed' ? { errorCode: 'unavailable' } : {}) };
}

export function decodeFinish(response: JsonRecord, hasToolCalls: boolean): FinishReason {
  const status = asText(response['status']) ?? null;
  if (status !== 'incomplete') {
    const nearest = status === null || status === 'completed' ? {} : ({ isNearest: true } as const);
    return { unified: hasToolCalls ? 'tool-calls' : 'stop', upstream: status, ...nearest };
  }
  const reason = asText(asRecord(response['incomplete_details'])?.['reason']) ?? status;
  if (reason === 'content_filter') return { unified: 'content-filter', upstream: reason };
  return { unified: 'length', upstream: reason, ...(reason === 'max_output_tokens' ? {} : { isNearest: true }) };
}

export function toSeconds(value: unknown): number {
  const seconds = asNumber(value) ?? 0;
  return Math.floor(seconds > 0 ? seconds : Date.now() / 1000);
}
