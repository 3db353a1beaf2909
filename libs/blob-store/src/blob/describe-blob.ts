import { sizeOfBlob } from './blob-bytes';
import { createBlobId } from './blob-id';
import type { BlobRecord, NewBlob } from './blob-store';

/** The record of a blob that is about to be kept. */
export function describeBlob(blob: NewBlob, nowMs: number): BlobRecord {
  const { organizationId, kind, name, type, expiresAtMs, purpose = '', bytes } = blob;
  return { id: createBlobId(), organizationId, kind, name, type, size: sizeOfBlob(bytes), purpose, createdAtMs: nowMs, expiresAtMs };
}

export function newestFirst(one: BlobRecord, other: BlobRecord): number {
  return other.createdAtMs - one.createdAtMs || (one.id < other.id ? 1 : -1);
}
