import { randomUUID } from 'node:crypto';
import { makePrivateDirectory } from '@weir/directory-lock';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A file without a name: the system removes it with the process that has it open, in whatever way that ends. */
export type NamelessFile = {
  /** Adds to its end; one call at a time. */
  append(chunk: Uint8Array): Promise<void>;
  /** Reads it from its start, as often as needed, also at the same time. Throws once it is closed. */
  read(size: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};

const SUFFIX = '.upload';
const READ_BYTES = 256 * 1024;
/** A file has its name for some microseconds. An older one was left by a process that died in them. */
const LEFT_AFTER_MS = 60_000;

export async function openNamelessFile(directory: string): Promise<NamelessFile> {
  const path = join(directory, `${randomUUID()}${SUFFIX}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  let length = 0;
  return {
    append: async (chunk) => {
      for (let written = 0; written < chunk.byteLength;) {
        const { bytesWritten } = await handle.write(chunk, written, chunk.byteLength - written, length);
        written += bytesWritten;
        length += bytesWritten;
      }
    },
    read: async function* (size) {
      for (let position = 0; position < size;) {
        const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        if (bytesRead === 0) throw new Error('an uploaded file is shorter than it was');
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => handle.close(),
  };
}

/** Makes the directory ready, and removes what processes left in it that died between making a file and taking its name. */
export function prepareUploadDirectory(directory: string, nowMs: number): void {
  makePrivateDirectory(directory);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (name.endsWith(SUFFIX) && stat !== undefined && nowMs - stat.mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true });
  }
}
