import type { Citation, ContentBlock, OpaqueState } from '@weir/canonical';
import {
  findArray,
  findString,
  isObject,
  readArray,
  readName,
  readObject,
  readString,
  refuseField,
  type JsonObject,
} from '../fields/field-readers';
import { attachToolStates } from '../state/attach-tool-states';
import { CHAT_FAMILY } from '../state/native-family';
import { decodeTextPart } from './decode-parts';
import { decodeReasoningHistory } from './decode-reasoning-history';

/** An assistant message of the history: reasoning, then what was said, then the calls. */
export function decodeAssistantContent(message: JsonObject, path: string): ContentBlock[] {
  const toolStates = new Map<string, OpaqueState>();
  const blocks = decodeReasoningHistory(message, path, toolStates);
  addSaid(blocks, message, path);
  const calls = findArray(message, 'tool_calls', path);
  calls?.forEach((call, index) => blocks.push(decodeToolCall(call, `${path}.tool_calls[${index}]`)));
  const legacy = message['function_call'];
  if (legacy !== undefined && legacy !== null) blocks.push(decodeLegacyCall(readObject(legacy, `${path}.function_call`), path));
  if (isObject(message['audio'])) blocks.push({ type: 'opaque', family: CHAT_FAMILY, raw: { type: 'audio', audio: message['audio'] } });
  const images = findArray(message, 'images', path) ?? [];
  if (images.length > 0) blocks.push({ type: 'opaque', family: CHAT_FAMILY, raw: { type: 'images', images } });
  if (blocks.length === 0) return decodeEmpty(message, path);
  return attachToolStates(blocks, toolStates);
}

function addSaid(blocks: ContentBlock[], message: JsonObject, path: string): void {
  addContent(blocks, message, path);
  const citations = findArray(message, 'annotations', path)?.flatMap(decodeAnnotation) ?? [];
  const last = blocks.at(-1);
  if (citations.length > 0 && last?.type === 'text') blocks[blocks.length - 1] = { ...last, citations };
  const refusal = findString(message, 'refusal', path);
  if (refusal !== undefined && refusal !== '') blocks.push({ type: 'refusal', text: refusal });
}

/** Pages are all that can be cited here. */
function decodeAnnotation(value: unknown): Citation[] {
  const page = isObject(value) ? value['url_citation'] : undefined;
  if (!isObject(page) || typeof page['url'] !== 'string') return [];
  return [{ url: page['url'], ...(typeof page['title'] === 'string' ? { title: page['title'] } : {}) }];
}

function addContent(blocks: ContentBlock[], message: JsonObject, path: string): void {
  const content = message['content'];
  if (typeof content === 'string') {
    if (content !== '') blocks.push({ type: 'text', text: content });
  } else if (content !== undefined && content !== null) {
    readArray(content, `${path}.content`).forEach((part, index) => blocks.push(decodeSaidPart(part, `${path}.content[${index}]`)));
  }
}

function decodeSaidPart(value: unknown, path: string): ContentBlock {
  const part = readObject(value, path);
  if (part['type'] === 'text') return decodeTextPart(part, path);
  if (part['type'] === 'refusal') return { type: 'refusal', text: readString(part['refusal'], `${path}.refusal`) };
  return refuseField(
    `${path}.type`,
    `${JSON.stringify(part['type'] ?? null)} is not a content type of assistant messages: use "text" or "refusal"`,
  );
}

function decodeToolCall(value: unknown, path: string): ContentBlock {
  const call = readObject(value, path);
  const id = readName(call['id'], `${path}.id`);
  if (call['type'] === 'custom') {
    const custom = readObject(call['custom'], `${path}.custom`);
    const input = readString(custom['input'], `${path}.custom.input`);
    return { type: 'tool-call', id, name: readName(custom['name'], `${path}.custom.name`), kind: 'custom', argumentsText: input };
  }
  if (call['type'] !== 'function' && call['type'] !== undefined) return refuseField(`${path}.type`, 'must be "function" or "custom"');
  const called = readObject(call['function'], `${path}.function`);
  return { type: 'tool-call', id, kind: 'function', ...readCalled(called, `${path}.function`) };
}

function decodeLegacyCall(called: JsonObject, path: string): ContentBlock {
  const id = `call_${path.replace(/[^a-z0-9]/g, '')}`;
  return { type: 'tool-call', id, kind: 'function', ...readCalled(called, `${path}.function_call`) };
}

function readCalled(called: JsonObject, path: string): { name: string; argumentsText: string } {
  return { name: readName(called['name'], `${path}.name`), argumentsText: findString(called, 'arguments', path) ?? '' };
}

function decodeEmpty(message: JsonObject, path: string): ContentBlock[] {
  if (message['content'] === undefined || message['content'] === null) {
    return refuseField(`${path}.content`, 'is required unless the assistant calls a tool');
  }
  return [{ type: 'text', text: '' }];
}
