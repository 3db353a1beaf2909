import {
  stringifyExactJson,
  type Citation,
  type CitedDocument,
  type ContentBlock,
  type OpaqueState,
  type ToolCallBlock,
} from '@weir/canonical';
import { asArray, asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { unwrapCustomInput } from '../../wire/remember-custom-tools';
import { ANSWER_TOOL, type CallNotes } from './call-notes';

export type DecodeContext = { readonly family: string; readonly fallbackModel: string; readonly notes: CallNotes };

export function decodeBlock(block: JsonRecord, context: DecodeContext): ContentBlock[] {
  if (typeof block['text'] === 'string') return block['text'] === '' ? [] : [{ type: 'text', text: block['text'] }];
  const call = asRecord(block['toolUse']);
  if (call !== undefined && !isServerTool(call)) return [decodeToolUse(call, context)];
  const reasoning = asRecord(block['reasoningContent']);
  if (reasoning !== undefined) return [decodeReasoning(reasoning, context)];
  const cited = asRecord(block['citationsContent']);
  if (cited !== undefined) return [decodeCited(cited, context)];
  return [toOpaque(block, context)];
}

export function toOpaque(raw: JsonRecord, { family }: DecodeContext): Extract<ContentBlock, { type: 'opaque' }> {
  return { type: 'opaque', family, raw };
}

/** Calls of tools that the provider ran itself are no business of the caller's. */
export function isServerTool(call: JsonRecord): boolean {
  return call['type'] === 'server_tool_use';
}

export function isAnswerCall(call: JsonRecord, { notes }: DecodeContext): boolean {
  return notes.hasAnswerTool && call['name'] === ANSWER_TOOL;
}

/** The name of a tool, and whether it was offered as a free-form one. */
export function readToolName(call: JsonRecord, { notes }: DecodeContext): Pick<ToolCallBlock, 'name' | 'kind'> {
  const name = asText(call['name']) ?? '';
  return { name, kind: notes.customTools.has(name) ? 'custom' : 'function' };
}

function decodeToolUse(call: JsonRecord, context: DecodeContext): ContentBlock {
  const text = stringifyExactJson(call['input'] ?? {});
  if (isAnswerCall(call, context)) return { type: 'text', text };
  const { name, kind } = readToolName(call, context);
  const argumentsText = kind === 'custom' ? unwrapCustomInput(text) : text;
  return { type: 'tool-call', id: asText(call['toolUseId']) ?? '', name, kind, argumentsText };
}

function decodeReasoning(reasoning: JsonRecord, context: DecodeContext): ContentBlock {
  const reported = asRecord(reasoning['reasoningText']) ?? {};
  const state = readState({ signature: reported['signature'], redacted: reasoning['redactedContent'] }, context);
  return { type: 'reasoning', text: asText(reported['text']) ?? '', ...(state === undefined ? {} : { state }) };
}

export function readState(reported: { signature: unknown; redacted: unknown }, { family }: DecodeContext): OpaqueState | undefined {
  const redacted = asText(reported.redacted);
  if (redacted !== undefined) return { family, kind: 'redacted', value: redacted };
  const signature = asText(reported.signature);
  return signature === undefined ? undefined : { family, kind: 'signature', value: signature };
}

function decodeCited(cited: JsonRecord, context: DecodeContext): ContentBlock {
  const citations = asArray(cited['citations']).map((citation) => decodeCitation(citation, context));
  return { type: 'text', text: joinTexts(cited['content']), ...(citations.length === 0 ? {} : { citations }) };
}

export function decodeCitation(value: unknown, { family }: DecodeContext): Citation {
  const raw = asRecord(value) ?? {};
  const url = asText(asRecord(asRecord(raw['location'])?.['web'])?.['url']);
  const title = asText(raw['title']);
  const citedText = joinTexts(raw['sourceContent']);
  return {
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(citedText === '' ? {} : { citedText }),
    ...decodeDocument(asRecord(raw['location']) ?? {}),
    original: { family, raw },
  };
}

const PLACES = { documentChar: 'character', documentPage: 'page', documentChunk: 'block' } as const;

/** Which document of the request is cited, and where in it. */
function decodeDocument(location: JsonRecord): { document?: CitedDocument } {
  for (const [name, unit] of Object.entries(PLACES)) {
    const { documentIndex: index, start, end } = asRecord(location[name]) ?? {};
    if (typeof index !== 'number') continue;
    const isPlaced = typeof start === 'number' && typeof end === 'number';
    return { document: { index, ...(isPlaced ? { place: { unit, start, end } } : {}) } };
  }
  return {};
}

function joinTexts(parts: unknown): string {
  return asArray(parts)
    .map((part) => asText(asRecord(part)?.['text']) ?? '')
    .join('');
}
