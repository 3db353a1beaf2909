import type { BlobRecord } from '@weir/blob-store';

/** A kept file as callers see it; times are Unix seconds. */
export function encodeFileObject({ id, size, createdAtMs, expiresAtMs, name, purpose }: BlobRecord): object {
  return {
    id,
    object: 'file',
    bytes: size,
    created_at: Math.floor(createdAtMs / 1000),
    expires_at: Math.floor(expiresAtMs / 1000),
    filename: name,
    purpose,
    status: 'processed',
  };
}
