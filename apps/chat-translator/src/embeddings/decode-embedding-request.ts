import type { EmbeddingInputs, EmbeddingRequest } from '@weir/canonical';
import { GatewayError } from '@weir/errors';

const INPUTS_MAX = 2048;
/** Fields with a word in the neutral shape, and those that are read elsewhere. */
const KNOWN: ReadonlySet<string> = new Set(['input', 'model', 'dimensions', 'encoding_format', 'user', 'weir', 'requesty']);

/** Reads an embedding request. Throws `invalid_request` naming the field at fault. */
export function decodeEmbeddingRequest(json: Record<string, unknown>): EmbeddingRequest {
  const { model, dimensions, encoding_format: format, user } = json;
  if (typeof model !== 'string') throw invalid('model', 'must be the id of a model');
  const unmapped = Object.entries(json).filter(([name]) => !KNOWN.has(name));
  return {
    model,
    inputs: decodeInputs(json['input']),
    encodingFormat: decodeFormat(format),
    ...(isAbsent(dimensions) ? {} : { dimensions: decodeDimensions(dimensions) }),
    ...(isAbsent(user) ? {} : { endUserId: decodeUser(user) }),
    ...(unmapped.length === 0 ? {} : { unmapped: Object.fromEntries(unmapped) }),
  };
}

function decodeInputs(input: unknown): EmbeddingInputs {
  if (typeof input === 'string') return { kind: 'texts', items: [decodeText(input, 'input')] };
  if (!Array.isArray(input)) throw invalid('input', 'must be text, a list of texts, a list of tokens or a list of token lists');
  const items: unknown[] = input;
  if (items.length === 0) throw invalid('input', 'must not be empty');
  if (typeof items[0] === 'number') return { kind: 'tokens', items: [decodeTokens(items, 'input')] };
  if (items.length > INPUTS_MAX) throw invalid('input', `must have at most ${INPUTS_MAX} entries`);
  if (typeof items[0] === 'string') return { kind: 'texts', items: items.map((item, index) => decodeText(item, `input[${index}]`)) };
  return { kind: 'tokens', items: items.map((item, index) => decodeTokens(item, `input[${index}]`)) };
}

function decodeText(text: unknown, field: string): string {
  if (typeof text !== 'string') throw invalid(field, 'must be text, as the entries before it are');
  if (text === '') throw invalid(field, 'must not be empty');
  return text;
}

function decodeTokens(tokens: unknown, field: string): readonly number[] {
  if (!Array.isArray(tokens)) throw invalid(field, 'must be text or a list of tokens, and all entries must be of one kind');
  if (tokens.length === 0) throw invalid(field, 'must not be empty');
  for (const token of tokens as unknown[]) {
    if (!Number.isSafeInteger(token) || (token as number) < 0) throw invalid(field, 'must hold whole numbers that are not negative');
  }
  return tokens as number[];
}

function decodeFormat(format: unknown): EmbeddingRequest['encodingFormat'] {
  if (isAbsent(format)) return 'float';
  if (format === 'float' || format === 'base64') return format;
  throw invalid('encoding_format', 'must be "float" or "base64"');
}

function decodeDimensions(dimensions: unknown): number {
  if (Number.isSafeInteger(dimensions) && (dimensions as number) >= 1) return dimensions as number;
  throw invalid('dimensions', 'must be a whole number of at least 1');
}

function decodeUser(user: unknown): string {
  if (typeof user === 'string') return user;
  throw invalid('user', 'must be text');
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${why}.`, { field });
}
