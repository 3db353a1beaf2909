import { isPlainText, type TraceFields } from '@weir/telemetry';
import type { RequestNotes } from '../requests/request-notes';

/** How a request ended, and what it was, as far as its log line goes. */
export type RequestEnding = {
  readonly requestId: string;
  readonly method: string | undefined;
  readonly path: string;
  readonly status: number;
  /** False where the caller left first. */
  readonly complete: boolean;
  readonly durationMs: number;
} & Partial<TraceFields>;

/**
 * The members of the log line of an ordinary request, as a logger would write them. Undefined where one is out of the
 * ordinary, which is a logger's work: text that has to be escaped, a refusal, an error.
 */
export function formatRequestLine(ending: RequestEnding, notes: RequestNotes): string | undefined {
  const { requestId, method, path, status, complete, durationMs, trace_id, span_id } = ending;
  if (method === undefined || isUnusual(notes) || !hasPlainTexts(notes)) return undefined;
  return (
    `,"requestId":"${requestId}","method":"${method}","path":"${path}"` +
    `,"status":${status},"complete":${complete},"durationMs":${formatTenths(durationMs)}${text('trace_id', trace_id)}${text('span_id', span_id)}` +
    `${formatNotes(notes)},"msg":"request"`
  );
}

/** As JSON has it; for a number with a fraction the engine takes as long as for the rest of the line. */
function formatTenths(value: number): string {
  const tenths = Math.round(value * 10);
  const rest = tenths % 10;
  const whole = (tenths - rest) / 10;
  return rest === 0 ? `${whole}` : `${whole}.${rest}`;
}

function isUnusual({ passport, cause, error, refusalsNotLogged }: RequestNotes): boolean {
  return passport !== undefined || cause !== undefined || error !== undefined || refusalsNotLogged !== undefined;
}

function hasPlainTexts({ organizationId, apiKeyId, apiKeyName, model, provider, attempts, costUsd }: RequestNotes): boolean {
  const isPlainKey = isPlain(organizationId) && isPlain(apiKeyId) && isPlain(apiKeyName);
  return isPlainKey && isPlain(model) && isPlain(provider) && isPlain(attempts) && isPlain(costUsd);
}

function isPlain(value: string | number | undefined): boolean {
  return typeof value !== 'string' || isPlainText(value);
}

function formatNotes(notes: RequestNotes): string {
  return (
    text('organizationId', notes.organizationId) +
    text('apiKeyId', notes.apiKeyId) +
    text('apiKeyName', notes.apiKeyName) +
    text('model', notes.model) +
    plain('isReplayed', notes.isReplayed) +
    text('provider', notes.provider) +
    either('attempts', notes.attempts) +
    plain('inputTokens', notes.inputTokens) +
    plain('outputTokens', notes.outputTokens) +
    text('costUsd', notes.costUsd)
  );
}

function text(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}

function plain(name: string, value: number | string | boolean | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`;
}

function either(name: string, value: string | number | undefined): string {
  return typeof value === 'string' ? text(name, value) : plain(name, value);
}
