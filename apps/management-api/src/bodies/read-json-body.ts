import { GatewayError } from '@weir/errors';
import { createJsonCheck, parseHeldJson, readBody, REQUEST_BOUNDS, yieldEventLoop } from '@weir/http-server';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const LARGE_BYTES = 256 * 1024;
const check = createJsonCheck({ ...REQUEST_BOUNDS, depthMax: 32 });

/** Reads a JSON body; none at all reads as an empty object. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (bytes.length === 0) return {};
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw new GatewayError('unsupported_media_type', 'The body must be JSON: send "Content-Type: application/json".');
  }
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding !== 'identity')
    throw new GatewayError('unsupported_media_type', 'Compressed bodies are not accepted. Send the body without a Content-Encoding.');
  return parseJsonBytes(bytes);
}

/** A JSON text within the bounds of a body. */
export async function parseJsonBytes(bytes: Buffer): Promise<unknown> {
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The request body is not valid UTF-8. Send JSON in UTF-8.');
  await check.checkLarge(bytes);
  const isLarge = bytes.length > LARGE_BYTES;
  if (isLarge) await yieldEventLoop();
  const body = parse(bytes.toString('utf8'));
  // The parser takes a turn of its own.
  if (isLarge) await yieldEventLoop();
  return body;
}

function parse(text: string): unknown {
  try {
    return parseHeldJson(text);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('invalid_json', 'The request body is not valid JSON. Correct it and send it again.', { cause: error });
  }
}
