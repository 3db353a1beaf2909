import type { DestinationStream } from 'pino';

/** A line as pino writes it. */
type Fields = Readonly<Record<string, unknown>>;
type Paint = (text: string, colour: keyof typeof COLOURS) => string;

const COLOURS = { red: 31, green: 32, yellow: 33, dim: 2 } as const;
const WARNING = 40;
const ERROR = 50;
/** What pino adds to every line, and what is shown in another way. */
const SHOWN = new Set(['level', 'severity', 'time', 'service', 'msg', 'error', 'err']);
const FIELD_LENGTH_MAX = 200;
/** Errors of these kinds are mistakes in the gateway: only where they were made helps. */
const MISTAKES = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']);
const STACK_LINES = 8;

/** What could steer a terminal, or turn the direction of text, comes from callers as well. */
// eslint-disable-next-line no-control-regex
const STEERING = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Turns JSON lines into lines for people: one for each request, and warnings and errors with their cause. */
export function createTerminalLines(destination: DestinationStream, { isColoured }: { readonly isColoured: boolean }): DestinationStream {
  const paint: Paint = (text, colour) => (isColoured && text !== '' ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text);
  return { write: (line) => destination.write(`${describeLine(line, paint)}\n`) };
}

function describeLine(line: string, paint: Paint): string {
  let fields: Fields;
  try {
    fields = JSON.parse(line) as Fields;
  } catch {
    return clean(line.trimEnd()); // no JSON: shown as it is
  }
  const time = paint(formatTime(fields['time']), 'dim');
  return fields['msg'] === 'request' ? `${time} ${describeRequest(fields, paint)}` : `${time} ${describeMessage(fields, paint)}`;
}

/** `200 sandbox/chat 8 ms 12→40 tokens $0.000045 key "team"` */
function describeRequest(fields: Fields, paint: Paint): string {
  const { status, model, method, path, complete, durationMs, requestId } = fields;
  const code = Number(status);
  const bad = code >= 500 ? 'red' : 'yellow';
  const parts = [
    paint(String(status), code >= 400 ? bad : 'green'),
    clean(typeof model === 'string' ? model : `${String(method)} ${String(path)}`),
    paint(textOf(fields['error']), bad),
    complete === false ? paint('broken off', 'yellow') : '',
    formatDuration(Number(durationMs)),
    ...describeNotes(fields),
    code >= 500 ? paint(`request ${String(requestId)}`, 'dim') : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function describeNotes(fields: Fields): string[] {
  const { attempts, apiKeyName, costUsd, isReplayed } = fields;
  return [
    describeTokens(fields),
    typeof costUsd === 'string' ? `$${costUsd}` : '',
    Number(attempts ?? 1) > 1 ? `${String(attempts)} attempts` : '',
    isReplayed === true ? 'replayed' : '',
    typeof apiKeyName === 'string' ? `key "${clean(apiKeyName).slice(0, 40)}"` : '',
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? clean(value) : '';
}

function describeTokens({ inputTokens, outputTokens }: Fields): string {
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return '';
  return inputTokens === 0 && outputTokens === 0 ? '' : `${inputTokens}→${outputTokens} tokens`;
}

function describeMessage(fields: Fields, paint: Paint): string {
  const level = Number(fields['level']);
  const error = fields['error'] ?? fields['err'];
  const kind = level >= ERROR ? paint('error: ', 'red') : level >= WARNING ? paint('warning: ', 'yellow') : '';
  const why = describeError(error);
  const message = clean(String(fields['msg'] ?? ''));
  const isSaid = (name: string, value: unknown): boolean => SHOWN.has(name) || message.includes(String(value));
  const rest = Object.entries(fields).flatMap(([name, value]) => (isSaid(name, value) ? [] : [`${clean(name)}=${formatValue(value)}`]));
  const line = [`${kind}${message}${why === '' ? '' : `: ${why}`}`, paint(rest.join(' '), 'dim')];
  return `${rest.length === 0 ? line[0] : line.join(' ')}${describeStack(fields, error)}`;
}

function describeError(error: unknown): string {
  if (typeof error === 'string') return clean(error);
  if (typeof error !== 'object' || error === null) return '';
  const { message, type, cause } = error as { message?: unknown; type?: unknown; cause?: unknown };
  const text = clean(String(message ?? '')) || clean(String(type ?? ''));
  const because = describeError(cause);
  return because === '' ? text : `${text} (because: ${because})`;
}

/** Only of what no one expected: a mistake of the gateway's own. */
function describeStack({ level, requestId }: Fields, error: unknown): string {
  const { stack, type } = (typeof error === 'object' && error !== null ? error : {}) as { stack?: unknown; type?: unknown };
  const isUnexpected = MISTAKES.has(String(type)) || (Number(level) >= ERROR && requestId !== undefined);
  if (typeof stack !== 'string' || !isUnexpected) return '';
  const lines = stack.split('\n').slice(1, STACK_LINES + 1);
  return lines.map((line) => `\n    ${clean(line.trim())}`).join('');
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const cleaned = clean(text);
  return cleaned.length > FIELD_LENGTH_MAX ? `${cleaned.slice(0, FIELD_LENGTH_MAX)}…` : cleaned;
}

function formatDuration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms : Math.round(ms)} ms`;
}

function formatTime(time: unknown): string {
  const at = new Date(Number(time));
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function clean(text: string): string {
  return text.replace(STEERING, '?');
}
