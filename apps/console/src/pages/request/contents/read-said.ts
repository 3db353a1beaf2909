import { asArray, asRecord, asText, parseJson, type JsonRecord } from '../../playground/json';

/** One thing that was said: by whom, and what of it is text. What is no text is named. */
export type Said = { readonly role: string; readonly text: string };

/** The endpoints whose bodies are read as a conversation; of others the body itself is shown. */
type Reader = (body: JsonRecord) => readonly Said[];

const REQUESTS: Readonly<Record<string, Reader>> = {
  'chat-completions': (body) => asArray(body['messages']).flatMap(readMessage),
  completions: (body) => [{ role: 'prompt', text: writeContent(body['prompt']) }],
  messages: (body) => [...readSystem(body['system']), ...asArray(body['messages']).flatMap(readMessage)],
  responses: (body) => [...readSystem(body['instructions']), ...readInput(body['input'])],
  embeddings: (body) => [body['input']].flat().map((input) => ({ role: 'input', text: writeContent(input) })),
};

/** What a caller sent, as a conversation; undefined where it is none that is known. */
export function readRequest(endpoint: string, text: string): readonly Said[] | undefined {
  const body = asRecord(parseJson(text));
  const said = body === undefined ? undefined : REQUESTS[endpoint]?.(body);
  return said === undefined || said.length === 0 ? undefined : said;
}

function readSystem(content: unknown): Said[] {
  return content === undefined || content === null ? [] : [{ role: 'system', text: writeContent(content) }];
}

function readInput(input: unknown): readonly Said[] {
  return typeof input === 'string' ? [{ role: 'user', text: input }] : asArray(input).flatMap(readItem);
}

/** An item of the responses dialect: a message, or a call of a tool and its result. */
export function readItem(value: unknown): Said[] {
  const item = asRecord(value);
  if (item === undefined) return [];
  const type = asText(item['type']) ?? 'message';
  if (type === 'function_call') return [{ role: 'assistant', text: writeCall(item['name'], item['arguments']) }];
  if (type === 'function_call_output') return [{ role: 'tool', text: writeContent(item['output']) }];
  if (type === 'reasoning') return [{ role: 'reasoning', text: writeContent(item['summary']) }];
  return type === 'message' ? readMessage(item) : [{ role: asText(item['role']) ?? type, text: `[${type}]` }];
}

/** A message of any dialect, the calls of tools in it included. */
export function readMessage(value: unknown): Said[] {
  const message = asRecord(value);
  if (message === undefined) return [];
  const calls = asArray(message['tool_calls']).map((call) => {
    return writeCall(find(call, 'function', 'name'), find(call, 'function', 'arguments'));
  });
  const said = [writeContent(message['content']), ...calls].filter((text) => text !== '');
  return [{ role: asText(message['role']) ?? 'message', text: said.join('\n\n') }];
}

/** The text of a content: a string, or parts of which some are text. */
export function writeContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(writePart).join('\n\n');
  return content === undefined || content === null ? '' : JSON.stringify(content);
}

const PART_TEXTS = ['text', 'thinking', 'refusal'];

function writePart(value: unknown): string {
  const part = asRecord(value);
  if (part === undefined) return String(value);
  const type = asText(part['type']) ?? 'part';
  if (type === 'tool_use') return writeCall(part['name'], part['input']);
  if (type === 'tool_result') return writeContent(part['content']);
  const name = PART_TEXTS.find((one) => asText(part[one]) !== undefined);
  return name === undefined ? `[${type}]` : String(part[name]);
}

/** What stands in records inside records; undefined where there is none on the way. */
export function find(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((found, name) => asRecord(found)?.[name], value);
}

/** The same as text, '' where it is none. */
export function findText(value: unknown, ...names: readonly string[]): string {
  return asText(find(value, ...names)) ?? '';
}

export function writeCall(name: unknown, args: unknown): string {
  return `${asText(name) ?? 'tool'}(${typeof args === 'string' ? args : JSON.stringify(args ?? {})})`;
}
