/** What is to be kept under a key. */
export type NewObject = {
  readonly key: string;
  /** Media type. */
  readonly type: string;
  /** Read as fast as the store takes it. */
  readonly chunks: AsyncIterable<Uint8Array>;
};

/** Where exported files are kept. An object is there whole or not at all; one that is there already is replaced. */
export type FileStore = {
  /** Rejects when the chunks break off, when the store refuses, and when `signal` says so: what was there before stays then, unless all of it had arrived. */
  put(object: NewObject, signal: AbortSignal): Promise<void>;
  /** What is not there is no error. */
  remove(keys: readonly string[]): Promise<void>;
  close(): void;
};
