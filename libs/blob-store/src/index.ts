// This library keeps files and generated results of organizations until they expire: on disk, or in an S3 bucket.
export type { BlobRecord, BlobStore, NewBlob } from './blob/blob-store';
export { createFilesystemBlobStore } from './filesystem/create-filesystem-blob-store';
export { openBlobStore } from './open-blob-store';
export { startBlobSweeps } from './start-blob-sweeps';
