import type { BlobStore } from './blob/blob-store';
import { createFilesystemBlobStore } from './filesystem/create-filesystem-blob-store';
import { createS3BlobStore } from './s3/create-s3-blob-store';

/** The settings of a process, by the names they have in its environment. */
type BlobStoreSettings = {
  readonly BLOB_STORE: 'filesystem' | 's3';
  readonly BLOB_DIR?: string | undefined;
  readonly S3_BUCKET?: string | undefined;
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_REGION: string;
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_PATH_STYLE: boolean;
  readonly S3_ENCRYPTION: 'none' | 'AES256' | 'aws:kms';
  readonly S3_KMS_KEY_ID?: string | undefined;
};

/** Opens the store that the settings name. Throws in words for operators when they name half of one. */
export function openBlobStore(settings: BlobStoreSettings, now: () => number): BlobStore {
  if (settings.BLOB_STORE === 'filesystem') {
    if (settings.BLOB_DIR === undefined) throw new Error('BLOB_DIR must name the directory in which files are kept');
    return createFilesystemBlobStore({ directory: settings.BLOB_DIR, now });
  }
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (S3_BUCKET === undefined) throw new Error('S3_BUCKET must name the bucket in which files are kept');
  if ((S3_ACCESS_KEY_ID === undefined) !== (S3_SECRET_ACCESS_KEY === undefined)) {
    throw new Error('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given together');
  }
  return createS3BlobStore({
    bucket: S3_BUCKET,
    region: settings.S3_REGION,
    endpoint: settings.S3_ENDPOINT,
    credentials:
      S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
        ? undefined
        : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    isPathStyle: settings.S3_PATH_STYLE,
    encryption: { kind: settings.S3_ENCRYPTION, kmsKeyId: settings.S3_KMS_KEY_ID },
    now,
  });
}
