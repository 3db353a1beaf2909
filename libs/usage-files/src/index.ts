// This library makes files of usage (Parquet, CSV) while their rows are read, and keeps them in a bucket.
export { encodeFile, FORMATS } from './encode/encode-file';
export type { FileStore } from './file-store';
export { createS3FileStore } from './s3/create-s3-file-store';
