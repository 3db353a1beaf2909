import { isUnreadText, mayHoldUnread } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';

type Json = Readonly<Record<string, unknown>>;

/** The roles of a dialect, as its vendor publishes them. */
const ROLES: Readonly<Record<ChatDialect, ReadonlySet<unknown>>> = {
  'chat-completions': new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  responses: new Set(['system', 'developer', 'user', 'assistant']),
  messages: new Set(['user', 'assistant', 'system']),
};
/** The last three are words of providers that constrain output by more than a schema. */
const FORMATS: ReadonlySet<unknown> = new Set(['text', 'json_object', 'json_schema', 'grammar', 'regex', 'structural_tag']);
const EFFORTS: ReadonlySet<unknown> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
/** What providers of chat completions take beside the words: their own usual one, and a budget in tokens. */
const OTHER_EFFORT = /^(?:default|\d{1,9})$/;

/**
 * What every chat request must have, checked before money is spent on it. All else is left to the provider, which knows its
 * own fields better than we do.
 */
export function checkExpressBody(dialect: ChatDialect, json: Json): void {
  if (dialect === 'responses') return checkResponses(json);
  const { messages } = json;
  checkMessages(messages, ROLES[dialect]);
  checkContents(messages as readonly Json[], 'messages', json);
  if (dialect === 'messages') return checkRestOfMessages(json);
  checkFormat(json['response_format'], 'response_format');
  if (typeof json['stop'] !== 'string') checkTexts(json['stop'], 'stop', 'must be a string or a list of strings');
  const { reasoning_effort: effort } = json;
  if (typeof effort !== 'number' && !(typeof effort === 'string' && OTHER_EFFORT.test(effort))) checkEffort(effort, 'reasoning_effort');
}

function checkRestOfMessages(json: Json): void {
  checkMessagesNumbers(json);
  checkTexts(json['stop_sequences'], 'stop_sequences', 'must be a list of strings');
  const { output_config: config } = json;
  if (isObject(config)) checkEffort(config['effort'], 'output_config.effort');
}

function checkTexts(texts: unknown, field: string, why: string): void {
  if (texts === undefined || texts === null) return;
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) throw invalid(field, why);
}

function checkEffort(effort: unknown, field: string): void {
  if (effort === undefined || effort === null || EFFORTS.has(effort)) return;
  throw invalid(field, `must be one of ${[...EFFORTS].join(', ')}`);
}

/** Where there is content it is text or a list of parts. Whether there must be some the provider knows. */
function checkContents(holders: readonly Json[], list: string, json: Json): void {
  const mayBeUnread = mayHoldUnread(json);
  for (let index = 0; index < holders.length; index += 1) {
    const holder = holders[index] as Json;
    if (mayBeUnread && isUnreadText(holder, 'content')) continue;
    const { content } = holder;
    if (typeof content === 'string' || content === undefined || content === null) continue;
    const field = `${list}[${index}].content`;
    if (!Array.isArray(content)) throw invalid(field, 'must be a string or a list of parts');
    for (let at = 0; at < content.length; at += 1) if (!isObject(content[at])) throw invalid(`${field}[${at}]`, 'must be an object');
  }
}

function checkMessages(messages: unknown, roles: ReadonlySet<unknown>): void {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'must be a list of at least one message');
  for (let index = 0; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (!isObject(message)) throw invalid(`messages[${index}]`, 'must be an object');
    if (!roles.has(message['role'])) throw invalid(`messages[${index}].role`, `must be ${listRoles(roles)}`);
  }
}

function checkResponses(json: Json): void {
  const { input, text, reasoning } = json;
  checkInput(input);
  if (Array.isArray(input)) checkContents(input as readonly Json[], 'input', json);
  if (isObject(reasoning)) checkEffort(reasoning['effort'], 'reasoning.effort');
  if (isObject(text)) checkFormat(text['format'], 'text.format');
  // The caller could not fetch the response, and its usage would never be reported.
  if (json['background'] === true) throw invalid('background', 'must be false here: replies are not stored to be fetched later');
}

function checkInput(input: unknown): void {
  if (typeof input === 'string' || input === undefined) return;
  if (!Array.isArray(input)) throw invalid('input', 'must be text or a list of items');
  for (let index = 0; index < input.length; index += 1) {
    const item: unknown = input[index];
    if (!isObject(item)) throw invalid(`input[${index}]`, 'must be an object');
    const { role } = item;
    if (role !== undefined && !ROLES.responses.has(role)) throw invalid(`input[${index}].role`, `must be ${listRoles(ROLES.responses)}`);
  }
}

function listRoles(roles: ReadonlySet<unknown>): string {
  return `one of ${[...roles].map((role) => JSON.stringify(role)).join(', ')}`;
}

function checkFormat(format: unknown, field: string): void {
  if (format === undefined || format === null) return;
  if (!isObject(format)) throw invalid(field, 'must be an object');
  if (!FORMATS.has(format['type'])) throw invalid(`${field}.type`, 'must be "text", "json_object" or "json_schema"');
}

function checkOutputLimit(limit: unknown): void {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return;
  throw invalid('max_tokens', 'must be a whole number of at least 1');
}

/** Within the bounds of the interface of this endpoint, for every provider. */
function checkMessagesNumbers(json: Json): void {
  checkOutputLimit(json['max_tokens']);
  checkNumber(json, 'temperature', 2);
  checkNumber(json, 'top_p', 1);
  checkNumber(json, 'top_k', Infinity);
  const { top_k: topK } = json;
  if (typeof topK === 'number' && !Number.isInteger(topK)) throw invalid('top_k', 'must be a whole number');
}

function checkNumber(json: Json, field: string, max: number): void {
  const value = json[field];
  if (value === undefined || value === null) return;
  if (typeof value === 'number' && value >= 0 && value <= max) return;
  throw invalid(field, Number.isFinite(max) ? `must be a number from 0 to ${max}` : 'must be a number of at least 0');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
