import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  type ListObjectsV2CommandOutput,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { createS3Client, describeEncryption, type S3Bucket } from '@weir/s3';
import { Readable } from 'node:stream';
import { readBlobBytes } from '../blob/blob-bytes';
import { isBlobId } from '../blob/blob-id';
import type { BlobKind, BlobRecord, BlobStore, NewBlob } from '../blob/blob-store';
import { describeBlob, newestFirst } from '../blob/describe-blob';
import { decodeKey, encodeKey, keyPrefix, shortenName } from './encode-key';

export type S3BlobStoreOptions = S3Bucket & { readonly now: () => number };

const KINDS: readonly BlobKind[] = ['file', 'result'];

/** Keeps blobs in a bucket, one object each; its key holds what is known of it. Nothing in the bucket is public. */
export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { bucket: Bucket, now } = options;
  const client = createS3Client(options);
  const listUnder = (prefix: string): AsyncGenerator<BlobRecord, void> => listRecords(client, Bucket, prefix);

  const find = async (organizationId: string, id: string): Promise<BlobRecord | undefined> => {
    if (!isBlobId(id)) return undefined;
    for (const kind of KINDS) {
      for await (const record of listUnder(keyPrefix(kind, organizationId, id))) return record.expiresAtMs > now() ? record : undefined;
    }
    return undefined;
  };
  const remove = (record: BlobRecord): Promise<unknown> => client.send(new DeleteObjectCommand({ Bucket, Key: encodeKey(record) }));

  return {
    put: async (blob) => {
      const record = describeBlob({ ...blob, name: shortenName(blob.name) }, now());
      const about = {
        Bucket,
        Key: encodeKey(record),
        ContentLength: record.size,
        ContentType: record.type,
        ...describeEncryption(options),
      };
      await upload(client, about, blob.bytes);
      return record;
    },
    find,
    list: async (organizationId, kind) => {
      const records: BlobRecord[] = [];
      for await (const record of listUnder(keyPrefix(kind, organizationId))) if (record.expiresAtMs > now()) records.push(record);
      return records.sort(newestFirst);
    },
    open: async function* (record) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: encodeKey(record) }));
      if (!(Body instanceof Readable)) throw new Error('the object store answered without a body');
      yield* Body as AsyncIterable<Uint8Array>;
    },
    delete: async (organizationId, id) => {
      const record = await find(organizationId, id);
      if (record !== undefined) await remove(record);
      return record !== undefined;
    },
    sweep: async (nowMs) => {
      let removed = 0;
      for (const kind of KINDS) {
        for await (const record of listUnder(`${kind}/`)) {
          if (record.expiresAtMs > nowMs) continue;
          await remove(record);
          removed += 1;
        }
      }
      return removed;
    },
    close: () => client.destroy(),
  };
}

/** What breaks off on its way here breaks the upload off: the store would wait for the rest of it. */
async function upload(client: S3Client, about: PutObjectCommandInput, bytes: NewBlob['bytes']): Promise<void> {
  if (Buffer.isBuffer(bytes)) {
    await client.send(new PutObjectCommand({ ...about, Body: bytes }));
    return;
  }
  const cancellation = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const Body = Readable.from(readBlobBytes(bytes), { objectMode: false });
  Body.once('error', (error) => {
    failure = { error };
    cancellation.abort();
  });
  try {
    await client.send(new PutObjectCommand({ ...about, Body }), { abortSignal: cancellation.signal });
  } catch (error) {
    throw failure === undefined ? error : failure.error;
  } finally {
    Body.destroy();
  }
}

async function* listRecords(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<BlobRecord, void> {
  let next: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken: next }));
    for (const { Key = '', Size = 0 } of page.Contents ?? []) {
      const record = decodeKey(Key, Size);
      if (record !== undefined) yield record;
    }
    next = page.NextContinuationToken;
  } while (next !== undefined);
}
