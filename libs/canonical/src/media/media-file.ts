/** A picture or a recording on its way through: in memory, or on disk. */
export type MediaFile = {
  /** As the caller named it; never a path. */
  readonly name: string;
  /** Media type, found by looking at the bytes: `image/png`, `audio/mpeg`. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The bytes from the start, as often as they are needed. */
  read(): AsyncIterable<Uint8Array>;
};

/** All bytes of a file, for those who have to look at it whole. */
export async function readMediaFile(file: MediaFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A file whose bytes are in memory already. */
export function createMediaFile(bytes: Uint8Array, { name, type }: Pick<MediaFile, 'name' | 'type'>): MediaFile {
  return {
    name,
    type,
    size: bytes.byteLength,
    async *read() {
      yield bytes;
    },
  };
}
