import type { EndpointRow } from '@weir/contracts';
import { readJsonBody, receiveBody, receiveBytes, type FormReceiver, type ParsedBody, type ReceivedForm } from '@weir/http-server';
import { measureAudio } from '@weir/recordings';
import { translateCompletionsBody } from '@weir/wire-formats';
import type { MediaFiles } from './holds/bound-plan';
import { readForm } from './read-form';
import type { InboundRequest } from '../request/inbound-request';

export type ReceiveParts = {
  readonly bodyBytesMax: number;
  readonly forms: Pick<FormReceiver, 'receive'>;
};

export type ReceivedRequest = {
  readonly body: Buffer;
  readonly parsed: ParsedBody;
  /** As it goes on to the worker. */
  readonly form: ReceivedForm | undefined;
  readonly media: MediaFiles | undefined;
};

/** What is done with a received request; what waits returns a promise. */
type UseReceived = (received: ReceivedRequest) => Promise<void> | undefined;

/** A request in a dialect that is served by another one, as the latter. The bytes of all others stay the caller's own. */
export function translateRequest<Received extends { readonly body: Buffer; readonly parsed: ParsedBody }>(
  received: Received,
  { id }: Pick<EndpointRow, 'id'>,
): Received {
  if (id !== 'completions') return received;
  const parsed = translateCompletionsBody(received.parsed);
  return { ...received, body: Buffer.from(parsed.text), parsed };
}

/**
 * Receives and reads the body of a request: a form that is passed to `keepForm`, or JSON. Returns nothing for an endpoint of JSON alone:
 * what `use` throws or rejects with, and what is wrong with the body, goes to `fail` then.
 */
export function receiveRequest(inbound: InboundRequest, parts: ReceiveParts, use: UseReceived): Promise<void> | undefined {
  const { request, scope, fail } = inbound;
  if (scope.endpoint.body !== 'json') return receiveEither(inbound, parts).then(use);
  receiveBytes(request, parts.bodyBytesMax, {
    use: (body) => {
      const received = readJson(body);
      const used = received instanceof Promise ? received.then(use) : use(received);
      if (used !== undefined) used.then(undefined, fail);
    },
    fail,
  });
  return undefined;
}

async function receiveEither({ request, scope, keepForm }: InboundRequest, parts: ReceiveParts): Promise<ReceivedRequest> {
  const { body, form } = await receiveBody(request, scope.endpoint, parts);
  if (form === undefined) return readJson(body);
  keepForm?.(form);
  return { body, ...readForm(form), media: await measureFiles(form, scope.endpoint) };
}

/** What is small is there at once. */
function readJson(body: Buffer): ReceivedRequest | Promise<ReceivedRequest> {
  const parsed = readJsonBody(body);
  if (parsed instanceof Promise) return parsed.then((large) => ({ body, parsed: large, form: undefined, media: undefined }));
  return { body, parsed, form: undefined, media: undefined };
}

async function measureFiles({ files }: ReceivedForm, { modality }: EndpointRow): Promise<MediaFiles> {
  if (modality !== 'transcription') return { imageFiles: files.length, audioSeconds: 0 };
  let audioSeconds = 0;
  for (const file of files) audioSeconds += await measureAudio(file);
  return { imageFiles: 0, audioSeconds };
}
