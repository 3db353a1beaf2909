/** One field of a form, with its name as it was sent. */
export type FormField = { readonly name: string; readonly value: string };

/** One uploaded file. It is on disk until its form is discarded. */
export type FormFile = {
  /** The name of its field, as it was sent: `image`, `image[]`, `file`. */
  readonly field: string;
  /** The last part of the name that the caller gave it. */
  readonly name: string;
  /** Its media type by its first bytes; `application/octet-stream` when they show none. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of its bytes in hexadecimal, where the receiver was asked for it. */
  readonly digest?: string;
  /** Reads it from its start, as often as needed. */
  read(): AsyncIterable<Uint8Array>;
};

/** A multipart body that was received whole. */
export type ReceivedForm = {
  /** In the order in which they came; a name may come again. */
  readonly fields: readonly FormField[];
  readonly files: readonly FormFile[];
  /** Removes the files from disk. Idempotent; never rejects. */
  discard(): Promise<void>;
};
