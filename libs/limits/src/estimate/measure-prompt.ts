import { isUnreadText, mayHoldUnread, visitTools } from '@weir/canonical';

/** How large a prompt can be at most, by the request alone. */
export type PromptMeasure = {
  /** No tokenizer makes more tokens than there are bytes; all that the request holds but encoded media. */
  readonly textTokens: number;
  readonly images: number;
  /** It refers to what is kept elsewhere, holds files or sound, or lets the provider run tools that read more. */
  readonly isOpenEnded: boolean;
  /** Web searches that the provider may make; null when the request asks for none. */
  readonly searches: number | null;
  /** How often the provider may read a whole context for one reply: once, and again after each use of a tool that it runs itself. */
  readonly contextReads: number;
  /** The provider may shorten it or ask another model: what it writes for that is billed beside the reply. */
  readonly isReadTwice: boolean;
};

type Json = Readonly<Record<string, unknown>>;

/** What a provider's template adds around turns, and its instructions on the use of tools. */
const TEMPLATE_TOKENS = 256;
const TOOLS_TEMPLATE_TOKENS = 1_100;
/** What it adds to make the reply follow a schema. */
const SCHEMA_TEMPLATE_TOKENS = 500;
/** Of a request that limits them in no way. */
const SEARCHES_MAX = 20;
/** Members by which a request goes on from something the provider keeps. */
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt', 'container', 'mcp_servers'] as const;
/** Members with which the provider reads the prompt a second time: to shorten it, or to ask another model. */
const READ_TWICE = ['context_management', 'fallbacks'] as const;
/** Members by which compatible providers search the web, beside the tools that every dialect has. */
const SEARCH_MEMBERS = ['web_search_options', 'search_parameters', 'plugins', 'enable_search'] as const;
/** Members that may hold a schema of the reply. */
const SCHEMA_MEMBERS = ['response_format', 'output_format', 'output_config', 'text'] as const;
/** Of these it only matters whether they are there. */
export const READ_BY_PRESENCE: readonly string[] = [...KEPT_ELSEWHERE, ...READ_TWICE, ...SEARCH_MEMBERS, ...SCHEMA_MEMBERS];
/** Edits of a prompt that only leave parts of it out: nothing is read or written for them. */
const CLEARING = /^clear_/;
const IMAGE_TYPES = new Set(['image', 'image_url', 'input_image', 'computer_screenshot']);
const FILE_TYPES = new Set([
  'document',
  'file',
  'input_file',
  'container_upload',
  'audio',
  'input_audio',
  'video',
  'video_url',
  'item_reference',
]);
/** Where an item of the responses dialect holds what the model reads of it. */
const ITEM_CONTENT = [
  'content',
  'output',
  'arguments',
  'input',
  'encrypted_content',
  'action',
  'operation',
  'code',
  'tools',
  'approval_request_id',
] as const;
/** The same of items that may be sent without what the model read at the time; the provider then adds it from its store. */
const STORED_CONTENT: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['reasoning', ['encrypted_content', 'content']],
  ['image_generation_call', ['result']],
  ['file_search_call', ['results']],
  ['code_interpreter_call', ['outputs']],
  ['web_search_call', []],
]);
/** Tools that the caller runs; a namespace holds some of them. */
const OWN_TOOLS = new Set<unknown>([undefined, null, 'function', 'custom', 'namespace']);

type Counting = { images: number; mediaBytes: number; isOpenEnded: boolean; readonly mayBeUnread: boolean };

/**
 * Measures a request body in any dialect by its length, without looking into any text: only the list of turns and their
 * parts is walked, so that an encoded image counts as an image and not by its bytes.
 */
export function measurePrompt(json: Json, bodyBytes: number): PromptMeasure {
  const isReadTwice = isReadAgain(json);
  const isKeptElsewhere = isReadTwice || KEPT_ELSEWHERE.some((name) => isPresent(json[name]));
  const counting: Counting = { images: 0, mediaBytes: 0, isOpenEnded: isKeptElsewhere, mayBeUnread: mayHoldUnread(json) };
  countParts(json['messages'], counting);
  countParts(json['input'], counting);
  if (!counting.isOpenEnded) counting.isOpenEnded = holdsStoredItem(json['input']);
  const tools = measureTools(json);
  const schemaTokens = SCHEMA_MEMBERS.some((name) => isPresent(json[name])) ? SCHEMA_TEMPLATE_TOKENS : 0;
  return {
    textTokens: Math.max(0, bodyBytes - counting.mediaBytes) + TEMPLATE_TOKENS + tools.templateTokens + schemaTokens,
    images: counting.images,
    isOpenEnded: counting.isOpenEnded || tools.areHosted,
    searches: tools.searches,
    contextReads: 1 + (isReadTwice ? 1 : 0) + (tools.searches ?? (isPresent(json['mcp_servers']) ? SEARCHES_MAX : 0)),
    isReadTwice,
  };
}

function isReadAgain(json: Json): boolean {
  const [management, fallbacks] = READ_TWICE.map((name) => json[name]);
  if (isPresent(fallbacks)) return true;
  if (!isPresent(management)) return false;
  const { edits } = management as Json;
  return !Array.isArray(edits) || edits.some((edit: unknown) => !CLEARING.test(String((edit as Json | null)?.['type'])));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Turns hold parts, and results of tools hold parts again; nesting is bounded by the parser. */
function countParts(parts: unknown, counting: Counting): void {
  if (!Array.isArray(parts)) return;
  for (const part of parts as unknown[]) {
    if (typeof part !== 'object' || part === null) continue;
    const { type, output, audio } = part as Json;
    if (holdsParts(part, counting)) countParts((part as Json)['content'], counting);
    if (typeof output === 'object') countOutput(output as object | null, counting);
    if (isSpokenEarlier(audio)) counting.isOpenEnded = true;
    if (typeof type !== 'string') continue;
    if (IMAGE_TYPES.has(type)) counting.images += 1;
    else if (FILE_TYPES.has(type)) counting.isOpenEnded = true;
    else continue;
    counting.mediaBytes += encodedBytes(part as Json);
  }
}

/** A text that was not read yet is none the less text. */
function holdsParts(part: object, { mayBeUnread }: Counting): boolean {
  return !(mayBeUnread && isUnreadText(part, 'content')) && typeof (part as Json)['content'] === 'object';
}

/** A spoken reply of an earlier turn, of which the request holds the id alone. */
function isSpokenEarlier(audio: unknown): boolean {
  return typeof audio === 'object' && audio !== null && 'id' in audio;
}

/** Results of tools are parts, or one screenshot. */
function countOutput(output: object | null, counting: Counting): void {
  if (output === null || Array.isArray(output)) return countParts(output, counting);
  if (isPresent((output as Json)['file_id'])) counting.isOpenEnded = true;
  countParts([output], counting);
}

/** Whether an item of the responses dialect stands for one that the provider stored. */
function holdsStoredItem(items: unknown): boolean {
  return Array.isArray(items) && items.some(isStored);
}

function isStored(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const { id, type, role } = item as Json;
  if (typeof id !== 'string') return false;
  if (!isPresent(type) && !isPresent(role)) return true;
  const content = STORED_CONTENT.get(type) ?? ITEM_CONTENT;
  return !content.some((name) => isUnreadText(item, name) || isFilled((item as Json)[name]));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isPresent(value);
}

/** The length of the base64 text of a part, wherever its dialect puts it. A plain address is no media. */
function encodedBytes(part: Json): number {
  let bytes = 0;
  for (const holder of [part, part['source'], part['image_url'], part['input_audio'], part['file']]) {
    if (typeof holder !== 'object' || holder === null) continue;
    const { data, file_data: fileData, image_url: imageUrl, url, type } = holder as Json;
    if (typeof data === 'string' && type !== 'text') bytes += data.length;
    for (const text of [fileData, imageUrl, url]) if (typeof text === 'string' && text.startsWith('data:')) bytes += text.length;
  }
  return bytes;
}

type ToolMeasure = { templateTokens: number; areHosted: boolean; searches: number | null };

function measureTools(json: Json): ToolMeasure {
  const measure: ToolMeasure = { templateTokens: 0, areHosted: false, searches: null };
  if (SEARCH_MEMBERS.some((name) => isPresent(json[name]))) Object.assign(measure, { areHosted: true, searches: SEARCHES_MAX });
  visitTools(json, ({ type, max_uses: usesMax, execution }) => {
    measure.templateTokens = TOOLS_TEMPLATE_TOKENS;
    // A search among tools that the caller makes itself reads nothing at the provider.
    if (OWN_TOOLS.has(type) || (type === 'tool_search' && execution === 'client')) return;
    measure.areHosted = true;
    const uses = typeof usesMax === 'number' && usesMax >= 1 ? Math.ceil(usesMax) : SEARCHES_MAX;
    measure.searches = (measure.searches ?? 0) + uses;
  });
  return measure;
}
