import { getEndpoint, type EndpointRow, type Modality } from '@weir/contracts';
import type { ModelCatalog } from '@weir/model-catalog';
import type { IncomingHttpHeaders } from 'node:http';

/** One word before it, the vendor's: SDKs send their own version and that of their runtime in headers of more words. */
const VERSION_HEADER = /^[a-z]+-version$/;

/**
 * The endpoint that a chat body is meant for. Only what sets dialects apart is looked at: which body it is decides nothing
 * but how its limit of output is called.
 */
export function recognizeDialect(json: Readonly<Record<string, unknown>>, headers: IncomingHttpHeaders): EndpointRow {
  if (json['input'] !== undefined) return getEndpoint('responses');
  if (json['messages'] === undefined && isText(json['prompt'])) return getEndpoint('completions');
  const isMessages = json['system'] !== undefined || Object.keys(headers).some((name) => VERSION_HEADER.test(name));
  return getEndpoint(isMessages ? 'messages' : 'chat-completions');
}

/** The responses dialect has a prompt too: an object that names a kept one. */
function isText(prompt: unknown): boolean {
  return typeof prompt === 'string' || Array.isArray(prompt);
}

type Json = Parameters<typeof recognizeDialect>[0];

/** The same for a body of any kind: what sets these apart is the model they name. */
export function recognizeEndpoint(json: Json, headers: IncomingHttpHeaders, catalog: Pick<ModelCatalog, 'find' | 'findBare'>): EndpointRow {
  const { model } = json;
  switch (typeof model === 'string' ? findModality(model, catalog) : undefined) {
    case 'embedding':
      return getEndpoint('embeddings');
    case 'image':
      return getEndpoint(json['images'] === undefined ? 'image-generations' : 'image-edits');
    case 'speech':
      return getEndpoint('speech');
    case 'transcription':
      return getEndpoint('transcriptions');
    default:
      return recognizeDialect(json, headers);
  }
}

function findModality(model: string, catalog: Pick<ModelCatalog, 'find' | 'findBare'>): Modality | undefined {
  return (catalog.find(model) ?? catalog.findBare(model).exact[0])?.modality;
}
