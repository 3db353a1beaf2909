import { createHash } from 'node:crypto';
import { asArray, asRecord, asText, type JsonRecord } from '@weir/canonical';
import { countTokens, splitTokens } from '../endpoint/count-tokens';
import { makeInstance } from './make-instance';
import { nameModel } from '../endpoint/name-model';
import { pickCalls, type PlannedCall } from './pick-calls';
import { readDirectives, TOKENS_MAX, type Directives } from '../endpoint/read-directives';

/** One token of the answer, and one frame of a stream. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly index: number; readonly call: PlannedCall }
  | { readonly kind: 'arguments'; readonly index: number; readonly call: PlannedCall; readonly text: string };

export type Answer = {
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly choices: number;
  readonly pieces: readonly Piece[];
  readonly finish: 'stop' | 'length' | 'tool_calls';
  /** The sequence of the caller's that ended it. */
  readonly stop?: string;
  readonly promptTokens: number;
};

const CHOICES_MAX = 128;
/** No model writes more than some hundred thousand characters. */
const ECHO_LENGTH_MAX = 200_000;
const SAMPLE_LENGTH = 256 * 1024;

/** The sandbox's reply to a body in chat completions, decided by the body alone. */
export function planAnswer(body: JsonRecord, text: string, directives: Directives): Answer {
  const messages = asArray(body['messages']).map((message) => asRecord(message) ?? {});
  const seed = createHash('sha256').update(sample(text)).digest('hex');
  const calls = pickCalls(body, { directives, seed, hasResults: messages.at(-1)?.['role'] === 'tool' });
  const { prose, stop } = calls.length > 0 ? NO_PROSE : planProse(body, messages, directives);
  const whole =
    calls.length > 0 ? calls.flatMap(toPieces) : splitTokens(prose, TOKENS_MAX).map((said): Piece => ({ kind: 'text', text: said }));
  const limit = limitOf(body);
  const isCut = whole.length > limit;
  return {
    id: `chatcmpl-${seed.slice(0, 24)}`,
    model: nameModel(body),
    createdAtSeconds: Math.floor(Date.now() / 1000),
    choices: Math.min(CHOICES_MAX, Math.max(1, typeof body['n'] === 'number' ? Math.floor(body['n']) : 1)),
    pieces: isCut ? whole.slice(0, limit) : whole,
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    ...(isCut || stop === undefined ? {} : { stop }),
    promptTokens: messages.reduce((sum, message) => sum + countMessage(message), 0),
  };
}

export function readLastDirectives(body: JsonRecord): Directives {
  const last = asArray(body['messages'])
    .map(asRecord)
    .findLast((message) => message?.['role'] === 'user');
  return readDirectives(textOf(last?.['content']));
}

/** What distinguishes one body from another; of a long one only its ends, because all of it would take long. */
function sample(text: string): string {
  if (text.length <= 2 * SAMPLE_LENGTH) return text;
  return `${text.length} ${text.slice(0, SAMPLE_LENGTH)} ${text.slice(-SAMPLE_LENGTH)}`;
}

function limitOf(body: JsonRecord): number {
  const limit = body['max_completion_tokens'] ?? body['max_tokens'];
  return typeof limit === 'number' ? Math.max(0, limit) : Infinity;
}

type Prose = { readonly prose: string; readonly stop?: string };
const NO_PROSE: Prose = { prose: '' };

/** Ends before the first stop sequence; of several that begin there, the longest has been met. */
function planProse(body: JsonRecord, messages: readonly JsonRecord[], directives: Directives): Prose {
  const prose = chooseProse(body, messages, directives);
  const stops = typeof body['stop'] === 'string' ? [body['stop']] : asArray(body['stop']).filter((stop) => typeof stop === 'string');
  const [first] = stops
    .map((stop) => ({ stop, at: stop === '' ? -1 : prose.indexOf(stop) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at || other.stop.length - one.stop.length);
  return first === undefined ? { prose } : { prose: prose.slice(0, first.at), stop: first.stop };
}

function chooseProse(body: JsonRecord, messages: readonly JsonRecord[], directives: Directives): string {
  if (directives.tokens !== undefined) return Array.from({ length: directives.tokens }, (_, index) => `word${index + 1}`).join(' ');
  const format = asRecord(body['response_format']);
  if (format?.['type'] === 'json_schema') return JSON.stringify(makeInstance(asRecord(format['json_schema'])?.['schema']));
  if (format?.['type'] === 'json_object') return '{}';
  const last = messages.at(-1);
  const echoed = last?.['role'] === 'tool' ? textOf(last['content']) : directives.text;
  return echoed === '' ? 'ok' : echoed.slice(0, ECHO_LENGTH_MAX);
}

function toPieces(call: PlannedCall, index: number): Piece[] {
  return [
    { kind: 'call', index, call },
    ...splitTokens(call.argumentsText).map((text): Piece => ({ kind: 'arguments', index, call, text })),
  ];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => asText(asRecord(part)?.['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

function countMessage(message: JsonRecord): number {
  const calls = asArray(message['tool_calls']).map((call) => asText(asRecord(asRecord(call)?.['function'])?.['arguments']) ?? '');
  return calls.reduce((sum, text) => sum + countTokens(text), countTokens(textOf(message['content'])));
}
