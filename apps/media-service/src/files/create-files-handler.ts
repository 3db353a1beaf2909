import type { BlobRecord, BlobStore } from '@weir/blob-store';
import { GatewayError, invariant } from '@weir/errors';
import type { WorkerHandler, WorkerRequest } from '@weir/http-server';
import { encodeFileObject } from './encode-file-object';
import { listFiles } from './list-files';
import { readFileForm } from './read-file-form';
import { sendBlob } from './send-blob';

export type FilesParts = {
  readonly blobs: BlobStore;
  /** Of a file whose caller says nothing of it. */
  readonly retentionDays: number;
  /** All files of one organization together. */
  readonly organizationBytesMax: number;
  readonly now: () => number;
};

type FileStory = (work: WorkerRequest, parts: FilesParts) => Promise<void>;

const STORIES: Readonly<Record<string, FileStory>> = {
  'create-file': createFile,
  'list-files': async (work, { blobs }) => {
    answer(work, listFiles(await blobs.list(ownerOf(work), 'file'), new URLSearchParams(work.query ?? '')));
  },
  'read-file': async (work, parts) => answer(work, encodeFileObject(await findFile(work, parts))),
  'read-file-content': async (work, parts) => sendBlob(work.response, await findBlob(work, parts), parts.blobs),
  'delete-file': async (work, parts) => {
    const { id } = await findFile(work, parts);
    await parts.blobs.delete(ownerOf(work), id);
    answer(work, { id, object: 'file', deleted: true });
  },
};

/** Serves the files of organizations: each sees its own. */
export function createFilesHandler(parts: FilesParts): WorkerHandler {
  return async (work) => {
    const story = STORIES[work.passport.endpointId];
    invariant(story !== undefined, `endpoint ${work.passport.endpointId} is about files`);
    await story(work, parts).catch(explainStore);
  };
}

export function isAboutFiles(endpointId: string): boolean {
  return Object.hasOwn(STORIES, endpointId);
}

async function createFile(work: WorkerRequest, { blobs, retentionDays, organizationBytesMax, now }: FilesParts): Promise<void> {
  const organizationId = ownerOf(work);
  const form = work.form ?? { fields: [], files: [], discard: () => Promise.resolve() };
  const { size, ...blob } = readFileForm(form, { nowMs: now(), retentionDays });
  const kept = await blobs.list(organizationId, 'file');
  if (kept.reduce((sum, record) => sum + record.size, size) > organizationBytesMax) {
    // Of the moment, not of the file: the same upload is taken once others are gone.
    throw new GatewayError(
      'conflict',
      `The files of an organization may have ${organizationBytesMax} bytes together. Delete some to go on.`,
    );
  }
  answer(work, encodeFileObject(await blobs.put({ organizationId, kind: 'file', ...blob })));
}

/** Results are no files of the caller's: they can be fetched by their address, and are not listed or deleted. */
async function findFile(work: WorkerRequest, parts: FilesParts): Promise<BlobRecord> {
  const record = await findBlob(work, parts);
  if (record.kind !== 'file') throw missing(record.id);
  return record;
}

async function findBlob(work: WorkerRequest, { blobs }: FilesParts): Promise<BlobRecord> {
  const id = work.params?.['id'] ?? '';
  const record = await blobs.find(ownerOf(work), id);
  if (record === undefined) throw missing(id);
  return record;
}

function missing(id: string): GatewayError {
  return new GatewayError('not_found', `There is no file ${id.slice(0, 64)}.`);
}

function ownerOf({ passport }: WorkerRequest): string {
  return passport.caller.organizationId;
}

function answer({ response }: WorkerRequest, value: object): void {
  const text = JSON.stringify(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

/** A store that does not answer is no one's request's fault. */
function explainStore(error: unknown): never {
  if (error instanceof GatewayError) throw error;
  throw new GatewayError('dependency_down', 'Files cannot be kept or read at the moment. Try again shortly.', {
    cause: error,
    retryAfterSeconds: 5,
  });
}
