/** `file`: uploaded by a caller. `result`: made by a provider for one. */
export type BlobKind = 'file' | 'result';

/** What is known of a kept blob. */
export type BlobRecord = {
  /** `file-` and 24 letters or digits. */
  readonly id: string;
  readonly organizationId: string;
  readonly kind: BlobKind;
  /** As a caller may save it. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** What a caller said the file is for; empty on results. */
  readonly purpose: string;
  /** UTC epoch milliseconds. */
  readonly createdAtMs: number;
  /** From then on the blob is not found any more. */
  readonly expiresAtMs: number;
};

export type NewBlob = Pick<BlobRecord, 'organizationId' | 'kind' | 'name' | 'type' | 'expiresAtMs'> & {
  readonly purpose?: string;
  readonly bytes: Buffer | BlobSource;
};

/** Bytes that are stored elsewhere: an uploaded file. Read from their start, once or again. */
type BlobSource = { readonly size: number; read(): AsyncIterable<Uint8Array> };

/**
 * Where files of organizations are kept. What is known of a file is kept beside it, so that workers need no database.
 * An organization sees its own files only: another's are not found.
 */
export type BlobStore = {
  /** Keeps a blob whole or not at all: when its bytes break off, nothing is left and their error comes back. */
  put(blob: NewBlob): Promise<BlobRecord>;
  /** Undefined when there is none, when it has expired, and when it is another organization's. */
  find(organizationId: string, id: string): Promise<BlobRecord | undefined>;
  /** The blobs of one kind that an organization has, newest first. */
  list(organizationId: string, kind: BlobKind): Promise<readonly BlobRecord[]>;
  /** Reads the bytes of a blob that was found. Throws when they have gone meanwhile. */
  open(record: BlobRecord): AsyncIterable<Uint8Array>;
  /** Returns false when there was none. */
  delete(organizationId: string, id: string): Promise<boolean>;
  /** Removes what has expired by then; returns how many blobs. */
  sweep(nowMs: number): Promise<number>;
  close(): void;
};
