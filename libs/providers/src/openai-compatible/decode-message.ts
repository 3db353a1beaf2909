import { stringifyExactJson, type Citation, type MediaSource } from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../wire/json-value';

/** What a message or a delta says, wherever this provider puts it. */
type MessageWords = { readonly text: string; readonly reasoning: string; readonly refusal: string };

/**
 * Reads `content` (a string or an array of text and thinking parts), `reasoning_content` or `reasoning` or
 * `reasoning_details`, and `refusal`.
 */
export function readWords(message: JsonRecord): MessageWords {
  const content = message['content'];
  const plain = asText(message['reasoning_content']) ?? asText(message['reasoning']);
  const reasoning = plain ?? readDetails(message['reasoning_details']);
  const refusal = asText(message['refusal']) ?? '';
  if (!Array.isArray(content)) return { text: asText(content) ?? '', reasoning, refusal };
  let text = '';
  let thinking = '';
  for (const entry of content) {
    const part = asRecord(entry);
    if (part?.['type'] === 'thinking') thinking += readThinking(part['thinking']);
    else text += asText(part?.['text']) ?? '';
  }
  return { text, reasoning: reasoning + thinking, refusal };
}

function readThinking(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return asArray(thinking)
    .map((part) => asText(asRecord(part)?.['text']) ?? '')
    .join('');
}

function readDetails(details: unknown): string {
  return asArray(details)
    .map((entry) => asText(asRecord(entry)?.['text']) ?? asText(asRecord(entry)?.['summary']) ?? '')
    .join('');
}

/** `images` of a message or delta, as OpenRouter has them. */
export function readPictures(images: unknown): MediaSource[] {
  return asArray(images).flatMap((entry): MediaSource[] => {
    const url = asText(asRecord(asRecord(entry)?.['image_url'])?.['url']);
    if (url === undefined) return [];
    const [, mediaType, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
    return [mediaType === undefined || data === undefined ? { kind: 'url', url } : { kind: 'base64', mediaType, data }];
  });
}

/** `annotations` of a message or delta. */
export function readAnnotations(annotations: unknown): Citation[] {
  const citations: Citation[] = [];
  for (const entry of asArray(annotations)) {
    const annotation = asRecord(entry);
    const reported = asRecord(annotation?.['url_citation']);
    if (annotation === undefined || reported === undefined) continue;
    citations.push({ ...toCitation(reported), ...readSpan(reported), original: { family: 'chat-completions', raw: annotation } });
  }
  return citations;
}

/** Pages named beside the reply: `search_results`, or `citations` as plain addresses. */
export function readSources(reply: JsonRecord): Citation[] {
  const results = asArray(reply['search_results'])
    .map(asRecord)
    .filter((result) => result !== undefined);
  if (results.length > 0) return results.map(toCitation);
  return asArray(reply['citations'])
    .map((entry) => (typeof entry === 'string' ? { url: entry } : toCitation(asRecord(entry) ?? {})))
    .filter((citation) => citation.url !== undefined);
}

function toCitation(reported: JsonRecord): Citation {
  const url = asText(reported['url']);
  const title = asText(reported['title']);
  return { ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) };
}

function readSpan(reported: JsonRecord): { start?: number; end?: number } {
  const { start_index: start, end_index: end } = reported;
  return typeof start === 'number' && typeof end === 'number' && end > start ? { start, end } : {};
}

/** Arguments arrive as text, as an object (some local servers), or not at all. */
export function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : stringifyExactJson(value);
}

/** What a call, or a fragment of one, calls, and in which of the two ways. */
type Called = { readonly isCustom: boolean; readonly called: JsonRecord };

/** Reads a call by its type: some servers fill in both members, one of them with nothing. Fragments have no type: theirs is the member that says something. */
export function readCalled(call: JsonRecord): Called {
  const { type } = call;
  const custom = asRecord(call['custom']);
  const called = asRecord(call['function']);
  if (custom === undefined || called === undefined) return { isCustom: custom !== undefined, called: custom ?? called ?? {} };
  const isCustom = type === 'custom' || (type !== 'function' && !saysAnything(called) && saysAnything(custom));
  return { isCustom, called: isCustom ? custom : called };
}

function saysAnything(called: JsonRecord): boolean {
  return Object.values(called).some((value) => value !== undefined && value !== null && value !== '');
}
