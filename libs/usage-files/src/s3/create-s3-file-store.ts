import { DeleteObjectCommand, S3Client, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { FileStore } from '../file-store';

type S3FileStoreOptions = {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's. */
  readonly endpoint: string | undefined;
  /** Absent: the machine's own, as Amazon's tools find them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly isPathStyle: boolean;
  readonly encryption: { readonly kind: 'none' | 'AES256' | 'aws:kms'; readonly kmsKeyId: string | undefined };
};

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Two of these are in memory at a time; ten thousand, 78 GiB, are the largest object. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const NOTHING = (): void => undefined;

/** Keeps files in a bucket that exists: what is larger than a part as a multipart upload, which breaks off as a whole. */
export function createS3FileStore(options: S3FileStoreOptions): FileStore {
  const { bucket: Bucket } = options;
  const client = openClient(options);
  return {
    put: async ({ key, type, chunks }, signal) => {
      signal.throwIfAborted();
      const Body = Readable.from(chunks, { objectMode: false });
      const params = { Bucket, Key: key, Body, ContentType: type, ...encrypt(options) };
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

function openClient({ region, endpoint, credentials, isPathStyle }: S3FileStoreOptions): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Not every store that speaks S3 knows the checksums that Amazon's has learnt since.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: { trace: NOTHING, debug: NOTHING, info: NOTHING, warn: NOTHING, error: NOTHING },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
}

function encrypt({ encryption: { kind, kmsKeyId } }: S3FileStoreOptions): Partial<PutObjectCommandInput> {
  if (kind === 'none') return {};
  return { ServerSideEncryption: kind, ...(kind === 'aws:kms' && kmsKeyId !== undefined ? { SSEKMSKeyId: kmsKeyId } : {}) };
}
