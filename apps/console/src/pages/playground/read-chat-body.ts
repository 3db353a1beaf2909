import { beginReply, type Message, type Reply, type Round, type ToolCall } from './conversation';
import { EMPTY_DRAFT, FORMATS, PARAMETER_NAMES, TOOL_CHOICES, type Attachment, type Draft } from './draft';
import { asArray, asRecord, asText, type JsonRecord } from './json';

export type ReadBody = {
  readonly model: string | undefined;
  readonly draft: Draft;
  readonly rounds: readonly Round[];
  /** What of the body the playground cannot show or send, in sentences. */
  readonly leftOut: readonly string[];
};

/** Members that the playground sets itself, or has read elsewhere. */
const KNOWN = new Set<string>([
  ...['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'tool_choice', 'response_format', 'max_completion_tokens'],
  ...PARAMETER_NAMES,
]);

/** Reads a body of chat completions as something to go on with: its last user message becomes the prompt. */
export function readChatBody(body: unknown): ReadBody {
  const whole = asRecord(body);
  if (whole === undefined) return { model: undefined, draft: EMPTY_DRAFT, rounds: [], leftOut: ['The body is no JSON object.'] };
  const leftOut: string[] = [];
  const messages = readMessages(whole['messages'], leftOut);
  const more: Record<string, unknown> = Object.fromEntries(Object.entries(whole).filter(([name]) => !KNOWN.has(name)));
  const n = whole['n'];
  if (typeof n === 'number' && n > 1) leftOut.push(`n: ${n}. The playground shows one reply of a model.`);
  const { system, rest } = takeSystem(messages);
  const { prompt, attachments, history } = takePrompt(rest);
  const draft: Draft = {
    ...EMPTY_DRAFT,
    system,
    prompt,
    attachments,
    ...readSettings(whole, more),
    more: Object.keys(more).length === 0 ? '' : write(more),
  };
  return { model: asText(whole['model']), draft, rounds: groupRounds(history, asText(whole['model']) ?? ''), leftOut };
}

function readMessages(value: unknown, leftOut: string[]): Message[] {
  const all = asArray(value);
  const read = all.map(asRecord).filter((message): message is Message => typeof message?.['role'] === 'string');
  if (read.length < all.length) leftOut.push(`${all.length - read.length} of the messages, which have no role.`);
  if (all.length === 0) leftOut.push('The body has no messages.');
  return read;
}

/** Settings with a field of their own; what a field cannot hold goes to the other members. */
function readSettings(
  body: JsonRecord,
  more: Record<string, unknown>,
): Pick<Draft, 'parameters' | 'tools' | 'toolChoice' | 'format' | 'schema'> {
  const choice = body['tool_choice'] ?? 'auto';
  const toolChoice = TOOL_CHOICES.find((word) => word === choice);
  if (toolChoice === undefined) more['tool_choice'] = choice;
  const tools = asArray(body['tools']);
  return {
    parameters: readParameters(body, more),
    tools: tools.length === 0 ? '' : write(tools.map(unwrapTool)),
    toolChoice: toolChoice ?? 'auto',
    ...readFormat(body['response_format'], more),
  };
}

function readParameters(body: JsonRecord, more: Record<string, unknown>): Draft['parameters'] {
  const values: JsonRecord = { ...body, max_tokens: body['max_completion_tokens'] ?? body['max_tokens'] };
  const found = PARAMETER_NAMES.flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === null) return [];
    const text = name === 'stop' ? writeStops(value) : typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
    if (text === undefined) more[name] = value;
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(found);
}

/** A line each, unless one of them has lines itself. */
function writeStops(value: unknown): string | undefined {
  const stops = typeof value === 'string' ? [value] : asArray(value);
  const isPlain = stops.every((stop) => typeof stop === 'string' && stop.trim() !== '' && !stop.includes('\n') && stop.trim() === stop);
  return isPlain ? stops.join('\n') : undefined;
}

function readFormat(value: unknown, more: Record<string, unknown>): Pick<Draft, 'format' | 'schema'> {
  const type = asRecord(value)?.['type'] ?? 'text';
  const format = FORMATS.find((word) => word === type);
  if (format === undefined) more['response_format'] = value;
  return { format: format ?? 'text', schema: format === 'json_schema' ? write(asRecord(value)?.['json_schema'] ?? {}) : '' };
}

/** Functions without their wrapping; other kinds of tools as they are. */
function unwrapTool(tool: unknown): unknown {
  const { type, function: called, ...others } = asRecord(tool) ?? {};
  return type === 'function' && asRecord(called) !== undefined && Object.keys(others).length === 0 ? called : tool;
}

/** A first message of the system that is text alone; any other stays where it is. */
function takeSystem(messages: readonly Message[]): { system: string; rest: readonly Message[] } {
  const [first, ...rest] = messages;
  const isPlain = first?.role === 'system' && typeof first['content'] === 'string' && Object.keys(first).length === 2;
  return isPlain ? { system: String(first['content']), rest } : { system: '', rest: messages };
}

type Prompt = { readonly prompt: string; readonly attachments: Attachment[]; readonly history: readonly Message[] };

function takePrompt(messages: readonly Message[]): Prompt {
  const last = messages.at(-1);
  if (last?.role !== 'user' || Object.keys(last).length > 2) return { prompt: '', attachments: [], history: messages };
  const history = messages.slice(0, -1);
  const content = last['content'];
  if (typeof content === 'string') return { prompt: content, attachments: [], history };
  const parts = asArray(content).map((part) => asRecord(part) ?? {});
  const texts = parts.filter(isPlainText);
  const others = parts.filter((part) => !isPlainText(part));
  // Words between images would change places: then the message stays as it is.
  const isOrdered = parts.slice(-texts.length || parts.length).every((part) => texts.length === 0 || isPlainText(part));
  if (texts.length > 1 || !isOrdered) return { prompt: '', attachments: [], history: messages };
  return { prompt: asText(texts[0]?.['text']) ?? '', attachments: others.map(toAttachment), history };
}

function isPlainText(part: JsonRecord): boolean {
  return part['type'] === 'text' && Object.keys(part).length === 2;
}

function toAttachment(part: JsonRecord, index: number): Attachment {
  const name = asText(asRecord(part['file'])?.['filename']) ?? asText(part['filename']) ?? `${String(part['type'])} ${index + 1}`;
  return { id: `given-${index}`, name, bytes: JSON.stringify(part).length, part };
}

/** Each message of the model ends a round. */
function groupRounds(messages: readonly Message[], model: string): Round[] {
  const rounds: Round[] = [];
  let sent: Message[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') {
      sent.push(message);
      continue;
    }
    rounds.push({ id: `given-${rounds.length}`, sent, reply: readReply(message, model) });
    sent = [];
  }
  if (sent.length > 0) rounds.push({ id: `given-${rounds.length}`, sent });
  return rounds;
}

function readReply(message: Message, model: string): Reply {
  const content = message['content'];
  const text = typeof content === 'string' ? content : joinTexts(content);
  return {
    ...beginReply(model),
    state: 'done',
    text,
    reasoning: asText(message['reasoning_content']) ?? asText(message['reasoning']) ?? '',
    refusal: asText(message['refusal']) ?? '',
    calls: asArray(message['tool_calls']).map((call, index) => readCall(asRecord(call) ?? {}, index)),
    given: message,
  };
}

function joinTexts(parts: unknown): string {
  return asArray(parts)
    .map((part) => asText(asRecord(part)?.['text']) ?? '')
    .join('');
}

function readCall(call: JsonRecord, index: number): ToolCall {
  const custom = asRecord(call['custom']);
  const called = custom ?? asRecord(call['function']);
  return {
    id: asText(call['id']) ?? `call-${index}`,
    name: asText(called?.['name']) ?? '',
    text: asText(called?.['arguments']) ?? asText(called?.['input']) ?? '',
    isCustom: custom !== undefined,
  };
}

function write(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
