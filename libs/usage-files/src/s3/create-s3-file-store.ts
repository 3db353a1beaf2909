import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { createS3Client, describeEncryption, type S3Bucket } from '@weir/s3';
import { Readable } from 'node:stream';
import type { FileStore } from '../file-store';

/** Two of these are in memory at a time; ten thousand, 78 GiB, are the largest object. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const NOTHING = (): void => undefined;

/** Keeps files in a bucket that exists: what is larger than a part as a multipart upload, which breaks off as a whole. */
export function createS3FileStore(options: S3Bucket): FileStore {
  const { bucket: Bucket } = options;
  const client = createS3Client(options);
  return {
    put: async ({ key, type, chunks }, signal) => {
      signal.throwIfAborted();
      const Body = Readable.from(chunks, { objectMode: false });
      const params = { Bucket, Key: key, Body, ContentType: type, ...describeEncryption(options) };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE, leavePartsOnError: false });
      // As if the bytes had broken off: unlike `upload.abort`, this ends after the parts were given back.
      const abort = (): void => void Body.destroy(signal.reason instanceof Error ? signal.reason : new Error('the upload is not wanted'));
      Body.on('error', NOTHING); // the upload rejects
      signal.addEventListener('abort', abort, { once: true });
      try {
        await upload.done();
        signal.throwIfAborted();
      } finally {
        signal.removeEventListener('abort', abort);
        Body.destroy();
      }
    },
    remove: async (keys) => {
      for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    close: () => client.destroy(),
  };
}
