import { readDocumentText, UnreadableDocument } from '@weir/configuration';
import { GatewayError } from '@weir/errors';
import { readBody } from '@weir/http-server';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { readJsonBody } from '../bodies/read-json-body';

/** YAML takes longer to read than JSON; a thousand objects have a fraction of this. */
const BYTES_MAX = 1024 * 1024;

const YAML = /^(application|text)\/(x-)?yaml\b/i;

/** A configuration document as YAML, or as JSON like every other body. */
export async function readConfigurationBody(request: IncomingMessage): Promise<unknown> {
  if (!YAML.test(request.headers['content-type'] ?? '')) return readJsonBody(request);
  const bytes = await readBody(request, BYTES_MAX);
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The request body is not valid UTF-8. Send YAML in UTF-8.');
  const documents = readDocuments(bytes.toString('utf8'));
  if (documents.length === 1) return documents[0];
  throw new GatewayError('invalid_request', 'The body must be one document; `weir apply` joins several.');
}

function readDocuments(text: string): unknown[] {
  try {
    return readDocumentText(text);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new GatewayError('invalid_json', `The request body is not valid YAML: ${error.message}`, { cause: error });
  }
}
