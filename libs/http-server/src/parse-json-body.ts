import { GatewayError } from '@weir/errors';
import { isUtf8 } from 'node:buffer';
import { hasBoundedDepth } from './check-json-depth';
import type { ParsedBody } from './worker-handler';

const DEPTH_MAX = 64;

/** Parses a JSON object out of a request body. Throws `invalid_json` or `invalid_request`; nothing gets past it half-read. */
export function parseJsonBody(body: Buffer): ParsedBody {
  if (!isUtf8(body)) throw new GatewayError('invalid_json', 'The request body is not valid UTF-8.');
  const text = body.toString('utf8');
  if (!hasBoundedDepth(text, DEPTH_MAX)) {
    throw new GatewayError('invalid_request', `The request body nests more than ${DEPTH_MAX} levels deep.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new GatewayError('invalid_json', `The request body is not valid JSON: ${describe(error)}.`, { cause: error });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new GatewayError('invalid_json', 'The request body must be a JSON object.');
  }
  return { text, json: json as Record<string, unknown> };
}

/** Where the text breaks, without quoting the text itself. */
function describe(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'it ends too early or holds an unexpected character' : `unexpected character at position ${position}`;
}
