import type { BlobRecord, BlobStore } from '@weir/blob-store';
import { GatewayError, invariant } from '@weir/errors';
import type { WorkerHandler, ForwardedRequest } from '@weir/http-server';
import { encodeFileObject } from './encode-file-object';
import { listFiles } from './list-files';
import { readFileForm } from './read-file-form';
import { sendBlob } from './send-blob';

export type FilesParts = {
  readonly blobs: BlobStore;
  /** Of a file whose caller gives no expiry. */
  readonly retentionDays: number;
  /** All files of one organization together. */
  readonly organizationBytesMax: number;
  readonly now: () => number;
};

type FileHandler = (forwarded: ForwardedRequest, parts: FilesParts) => Promise<void>;

const HANDLERS: Readonly<Record<string, FileHandler>> = {
  'create-file': createFile,
  'list-files': async (forwarded, { blobs }) => {
    sendObject(forwarded, listFiles(await blobs.list(ownerOf(forwarded), 'file'), new URLSearchParams(forwarded.query ?? '')));
  },
  'read-file': async (forwarded, parts) => sendObject(forwarded, encodeFileObject(await findFile(forwarded, parts))),
  'read-file-content': async (forwarded, parts) => sendBlob(forwarded.response, await findBlob(forwarded, parts), parts.blobs),
  'delete-file': async (forwarded, parts) => {
    const { id } = await findFile(forwarded, parts);
    await parts.blobs.delete(ownerOf(forwarded), id);
    sendObject(forwarded, { id, object: 'file', deleted: true });
  },
};

/** Serves the files of organizations: each sees its own. */
export function createFilesHandler(parts: FilesParts): WorkerHandler {
  return async (forwarded) => {
    const handle = HANDLERS[forwarded.passport.endpointId];
    invariant(handle !== undefined, `endpoint ${forwarded.passport.endpointId} is about files`);
    await handle(forwarded, parts).catch(explainStore);
  };
}

export function isAboutFiles(endpointId: string): boolean {
  return Object.hasOwn(HANDLERS, endpointId);
}

async function createFile(forwarded: ForwardedRequest, { blobs, retentionDays, organizationBytesMax, now }: FilesParts): Promise<void> {
  const organizationId = ownerOf(forwarded);
  const form = forwarded.form ?? { fields: [], files: [], discard: () => Promise.resolve() };
  const { size, ...blob } = readFileForm(form, { nowMs: now(), retentionDays });
  const kept = await blobs.list(organizationId, 'file');
  if (kept.reduce((sum, record) => sum + record.size, size) > organizationBytesMax) {
    // Of the moment, not of the file: the same upload is taken once others are gone.
    throw new GatewayError(
      'conflict',
      `The files of an organization may have ${organizationBytesMax} bytes together. Delete some to go on.`,
    );
  }
  sendObject(forwarded, encodeFileObject(await blobs.put({ organizationId, kind: 'file', ...blob })));
}

/** Results are no files of the caller's: they can be fetched by their address, and are not listed or deleted. */
async function findFile(forwarded: ForwardedRequest, parts: FilesParts): Promise<BlobRecord> {
  const record = await findBlob(forwarded, parts);
  if (record.kind !== 'file') throw missing(record.id);
  return record;
}

async function findBlob(forwarded: ForwardedRequest, { blobs }: FilesParts): Promise<BlobRecord> {
  const id = forwarded.params?.['id'] ?? '';
  const record = await blobs.find(ownerOf(forwarded), id);
  if (record === undefined) throw missing(id);
  return record;
}

function missing(id: string): GatewayError {
  return new GatewayError('not_found', `There is no file ${id.slice(0, 64)}.`);
}

function ownerOf({ passport }: ForwardedRequest): string {
  return passport.caller.organizationId;
}

function sendObject({ response }: ForwardedRequest, value: object): void {
  const text = JSON.stringify(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/** A store that fails is not the fault of the request. */
function explainStore(error: unknown): never {
  if (error instanceof GatewayError) throw error;
  throw new GatewayError('dependency_down', 'Files cannot be kept or read at the moment. Try again shortly.', {
    cause: error,
    retryAfterSeconds: 5,
  });
}
