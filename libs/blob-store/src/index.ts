// This library keeps files and generated results of organizations until they expire: on disk, or in an S3 bucket.
export type { BlobKind, BlobRecord, BlobSource, BlobStore, NewBlob } from './blob/blob-store';
export { createFilesystemBlobStore, type FilesystemBlobStoreOptions } from './filesystem/create-filesystem-blob-store';
export { openBlobStore, type BlobStoreSettings } from './open-blob-store';
export { createS3BlobStore, type S3BlobStoreOptions } from './s3/create-s3-blob-store';
export { startBlobSweeps } from './start-blob-sweeps';
