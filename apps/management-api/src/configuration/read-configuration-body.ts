import { readDocumentsApart, UnreadableDocument } from '@weir/configuration';
import { createQueryQueue } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { readBody } from '@weir/http-server';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseJsonBytes, readJsonBody } from '../bodies/read-json-body';

/** YAML takes longer to read than JSON; a thousand objects have a fraction of this. */
const BYTES_MAX = 1024 * 1024;

/** Each has a thread of its own while it is read. */
const queue = createQueryQueue({ runningMax: 1, waitingMax: 8 });

const YAML = /^(application|text)\/(x-)?yaml\b/i;

/** A configuration document as YAML, or as JSON like every other body. */
export async function readConfigurationBody(request: IncomingMessage): Promise<unknown> {
  if (!YAML.test(request.headers['content-type'] ?? '')) return readJsonBody(request);
  const bytes = await readBody(request, BYTES_MAX);
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The request body is not valid UTF-8. Send YAML in UTF-8.');
  const [only, ...others] = await readDocuments(bytes.toString('utf8'));
  if (only !== undefined && others.length === 0) return parseJsonBytes(Buffer.from(only));
  throw new GatewayError('invalid_request', 'The body must be one document; `weir apply` joins several.');
}

async function readDocuments(text: string): Promise<string[]> {
  const permit = await queue.acquire('yaml');
  try {
    return await readDocumentsApart(text);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new GatewayError('invalid_json', `The request body is not valid YAML: ${error.message}`, { cause: error });
  } finally {
    permit.release();
  }
}
