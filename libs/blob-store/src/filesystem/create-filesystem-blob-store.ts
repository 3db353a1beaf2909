import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readBlobBytes } from '../blob/blob-bytes';
import { encodeOwner, isBlobId } from '../blob/blob-id';
import type { BlobKind, BlobRecord, BlobStore } from '../blob/blob-store';
import { describeBlob, newestFirst } from '../blob/describe-blob';

type FilesystemBlobStoreOptions = { readonly directory: string; readonly now: () => number };

const KINDS: readonly BlobKind[] = ['file', 'result'];
/** A blob half written by a process that died is no one's any more after this. */
const DRAFT_MS = 3_600_000;

const storedRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  kind: z.enum(['file', 'result']),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  purpose: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
});

/**
 * Keeps blobs in a directory: `<kind>/<owner>/<id>` holds the bytes, `<id>.json` beside it what is known of them. It is
 * written last and removed first, so that a blob is there whole or not at all.
 */
export function createFilesystemBlobStore({ directory, now }: FilesystemBlobStoreOptions): BlobStore {
  const folderOf = (kind: BlobKind, organizationId: string): string => join(directory, kind, encodeOwner(organizationId));
  const pathOf = ({ kind, organizationId, id }: Pick<BlobRecord, 'kind' | 'organizationId' | 'id'>): string =>
    join(folderOf(kind, organizationId), id);

  const find = async (organizationId: string, id: string): Promise<BlobRecord | undefined> => {
    if (!isBlobId(id)) return undefined;
    for (const kind of KINDS) {
      const record = await readRecord(pathOf({ kind, organizationId, id }));
      if (record !== undefined && record.organizationId === organizationId) return record.expiresAtMs > now() ? record : undefined;
    }
    return undefined;
  };

  return {
    put: async (blob) => {
      const record = describeBlob(blob, now());
      const path = pathOf(record);
      await mkdir(folderOf(record.kind, record.organizationId), { recursive: true, mode: 0o700 });
      try {
        await writeFile(path, readBlobBytes(blob.bytes), { mode: 0o600, flag: 'wx' });
        await writeFile(`${path}.draft`, JSON.stringify(record), { mode: 0o600 });
        await rename(`${path}.draft`, `${path}.json`);
      } catch (error) {
        await removeBlob(path);
        throw error;
      }
      return record;
    },
    find,
    list: async (organizationId, kind) => {
      const records = await listFolder(folderOf(kind, organizationId));
      return records.filter(({ expiresAtMs }) => expiresAtMs > now()).sort(newestFirst);
    },
    open: (record) => createReadStream(pathOf(record)),
    delete: async (organizationId, id) => {
      const record = await find(organizationId, id);
      if (record !== undefined) await removeBlob(pathOf(record));
      return record !== undefined;
    },
    sweep: async (nowMs) => {
      let removed = 0;
      for (const kind of KINDS) {
        for (const owner of await readNames(join(directory, kind))) removed += await sweepFolder(join(directory, kind, owner), nowMs);
      }
      return removed;
    },
    close: () => undefined,
  };
}

async function readRecord(path: string): Promise<BlobRecord | undefined> {
  const text = await readFile(`${path}.json`, 'utf8').catch(explainMissing);
  return text === undefined ? undefined : storedRecord.parse(JSON.parse(text));
}

function explainMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

async function readNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(explainMissing)) ?? [];
}

async function listFolder(folder: string): Promise<BlobRecord[]> {
  const ids = (await readNames(folder)).filter(isBlobId);
  const records = await Promise.all(ids.map((id) => readRecord(join(folder, id))));
  return records.filter((record) => record !== undefined);
}

async function sweepFolder(folder: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const id of (await readNames(folder)).filter(isBlobId)) {
    const path = join(folder, id);
    const record = await readRecord(path);
    const isLeft = record === undefined && nowMs - ((await stat(path).catch(explainMissing))?.mtimeMs ?? nowMs) > DRAFT_MS;
    if (!isLeft && (record === undefined || record.expiresAtMs > nowMs)) continue;
    await removeBlob(path);
    removed += 1;
  }
  return removed;
}

async function removeBlob(path: string): Promise<void> {
  for (const each of [`${path}.json`, `${path}.draft`, path]) await rm(each, { force: true });
}
