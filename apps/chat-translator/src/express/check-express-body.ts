import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';

/**
 * What every chat request must have, checked before money is spent on it. Everything else in the express lane is the
 * provider's to judge: it knows its own fields better than we do.
 */
export function checkExpressBody(dialect: ChatDialect, json: Record<string, unknown>): void {
  if (dialect === 'responses') return checkResponses(json);
  checkMessages(json['messages']);
  if (dialect === 'messages') checkMessagesNumbers(json);
}

function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'must be a list of at least one message');
  for (let index = 0; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (typeof message !== 'object' || message === null) throw invalid(`messages[${index}]`, 'must be an object');
    if (typeof (message as { role?: unknown }).role !== 'string') throw invalid(`messages[${index}].role`, 'must be text');
  }
}

function checkResponses(json: Record<string, unknown>): void {
  checkInput(json['input']);
  // Nobody could ask for the answer, nor would anybody be told what it used.
  if (json['background'] === true) throw invalid('background', 'must be false here: replies are not stored to be fetched later');
}

function checkInput(input: unknown): void {
  if (typeof input === 'string' || Array.isArray(input) || input === undefined) return;
  throw invalid('input', 'must be text or a list of items');
}

function checkOutputLimit(limit: unknown): void {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return;
  throw invalid('max_tokens', 'must be a whole number of at least 1');
}

/** As the interface of this endpoint bounds them, whichever provider answers. */
function checkMessagesNumbers(json: Record<string, unknown>): void {
  checkOutputLimit(json['max_tokens']);
  checkNumber(json, 'temperature', { max: 2 });
  checkNumber(json, 'top_p', { max: 1 });
  checkNumber(json, 'top_k', { max: Infinity });
}

function checkNumber(json: Record<string, unknown>, field: string, { max }: { readonly max: number }): void {
  const value = json[field];
  if (value === undefined || value === null) return;
  if (typeof value === 'number' && value >= 0 && value <= max) return;
  throw invalid(field, Number.isFinite(max) ? `must be a number from 0 to ${max}` : 'must be a number of at least 0');
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
