import { asArray, asRecord, asText, parseJson, type JsonRecord } from '../../playground/json';
import { find, findText, readItem, readMessage, writeCall, writeContent, type Said } from './read-said';

/** What a caller got, as a conversation; undefined where it is none that is known. */
export function readReply(text: string, contentType: string | null): readonly Said[] | undefined {
  const said = contentType?.startsWith('text/event-stream') === true ? readStream(text) : readWhole(asRecord(parseJson(text)));
  return said === undefined || said.length === 0 ? undefined : said;
}

function readWhole(body: JsonRecord | undefined): readonly Said[] | undefined {
  if (body === undefined) return undefined;
  const error = asRecord(body['error']);
  if (error !== undefined) return [{ role: 'error', text: asText(error['message']) ?? JSON.stringify(error) }];
  if (Array.isArray(body['choices'])) return body['choices'].flatMap(readChoice);
  if (Array.isArray(body['output'])) return body['output'].flatMap(readItem);
  if (Array.isArray(body['content'])) return readMessage(body);
  return undefined;
}

function readChoice(value: unknown): Said[] {
  const choice = asRecord(value);
  return choice?.['message'] === undefined ? [{ role: 'assistant', text: writeContent(choice?.['text']) }] : readMessage(choice['message']);
}

/** What grows while a stream is read. */
type Growing = { reasoning: string; text: string; readonly calls: Map<string, { name: string; args: string }>; error: string };

/** The events of a stream in any dialect, put together again. */
function readStream(text: string): readonly Said[] | undefined {
  const growing: Growing = { reasoning: '', text: '', calls: new Map(), error: '' };
  for (const line of text.split('\n')) {
    const event = line.startsWith('data:') ? asRecord(parseJson(line.slice(5).trim())) : undefined;
    if (event !== undefined) takeEvent(growing, event);
  }
  const said = [growing.text, ...[...growing.calls.values()].map(({ name, args }) => writeCall(name, args))].filter((part) => part !== '');
  return [
    ...(growing.reasoning === '' ? [] : [{ role: 'reasoning', text: growing.reasoning }]),
    ...(said.length === 0 ? [] : [{ role: 'assistant', text: said.join('\n\n') }]),
    ...(growing.error === '' ? [] : [{ role: 'error', text: growing.error }]),
  ];
}

function takeEvent(growing: Growing, event: JsonRecord): void {
  if (event['error'] !== undefined) growing.error = findText(event, 'error', 'message') || JSON.stringify(event['error']);
  for (const choice of asArray(event['choices'])) takeChoice(growing, choice);
  const type = findText(event, 'type');
  if (type.startsWith('response.')) takeResponseEvent(growing, type, event);
  if (type.startsWith('content_block')) takeBlockEvent(growing, event);
}

function takeChoice(growing: Growing, choice: unknown): void {
  growing.text += findText(choice, 'delta', 'content') || findText(choice, 'text');
  growing.reasoning += findText(choice, 'delta', 'reasoning_content') || findText(choice, 'delta', 'reasoning');
  for (const part of asArray(find(choice, 'delta', 'tool_calls'))) {
    const [name, args] = [findText(part, 'function', 'name'), findText(part, 'function', 'arguments')];
    takeCall(growing, { place: find(part, 'index'), name, args });
  }
}

const RESPONSE_EVENTS: Readonly<Record<string, (growing: Growing, event: JsonRecord) => void>> = {
  'response.output_text.delta': (growing, event) => {
    growing.text += findText(event, 'delta');
  },
  'response.output_item.added': (growing, event) => {
    const isCall = find(event, 'item', 'type') === 'function_call';
    if (isCall) takeCall(growing, { place: event['output_index'], name: findText(event, 'item', 'name') });
  },
  'response.function_call_arguments.delta': (growing, event) => {
    takeCall(growing, { place: event['output_index'], args: findText(event, 'delta') });
  },
  'response.failed': (growing, event) => {
    growing.error = findText(event, 'response', 'error', 'message') || 'It failed.';
  },
};

function takeResponseEvent(growing: Growing, type: string, event: JsonRecord): void {
  if (type.startsWith('response.reasoning') && type.endsWith('.delta')) growing.reasoning += findText(event, 'delta');
  RESPONSE_EVENTS[type]?.(growing, event);
}

function takeBlockEvent(growing: Growing, event: JsonRecord): void {
  const place = event['index'];
  growing.text += findText(event, 'delta', 'text');
  growing.reasoning += findText(event, 'delta', 'thinking');
  if (find(event, 'content_block', 'type') === 'tool_use') takeCall(growing, { place, name: findText(event, 'content_block', 'name') });
  const args = findText(event, 'delta', 'partial_json');
  if (args !== '') takeCall(growing, { place, args });
}

type CallPart = { readonly place: unknown; readonly name?: string; readonly args?: string };

function takeCall({ calls }: Growing, { place, name = '', args = '' }: CallPart): void {
  const at = String(place);
  const call = calls.get(at) ?? { name: '', args: '' };
  calls.set(at, { name: call.name + name, args: call.args + args });
}
