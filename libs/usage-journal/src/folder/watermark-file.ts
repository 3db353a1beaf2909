import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readSequence, writeSequence } from '../format/record';
import { NODE_FILES, type JournalFiles } from './journal-files';

/** Everything up to `sequence` is aggregated, so segments below it may be gone. `epoch` was current when it was written. */
export type WatermarkMark = { readonly sequence: number; readonly epoch: number };

const NAME = 'watermark';
const BYTES = 16;

/**
 * Written whole and made durable before any segment is removed. The other way round, a crash in between would leave a
 * journal that looks as if it had lost its beginning.
 */
export async function writeWatermarkFile(folder: string, mark: WatermarkMark, files: JournalFiles = NODE_FILES): Promise<void> {
  const buffer = Buffer.alloc(BYTES);
  writeSequence(buffer, mark.sequence, 0);
  buffer.writeUInt32LE(mark.epoch, 8);
  buffer.writeUInt32LE(crc32(buffer.subarray(0, 12)), 12);
  const temporary = join(folder, `${NAME}.tmp`);
  await files.writeDurably(temporary, buffer);
  await files.rename(temporary, join(folder, NAME));
  await files.syncFolder(folder);
}

/** `none`: nothing was ever removed. `unreadable`: something may have been, no one knows what. */
export function readWatermarkFile(folder: string, files: JournalFiles = NODE_FILES): WatermarkMark | 'none' | 'unreadable' {
  let buffer: Buffer;
  try {
    buffer = files.readFileSync(join(folder, NAME));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'unreadable';
  }
  if (buffer.length !== BYTES || crc32(buffer.subarray(0, 12)) !== buffer.readUInt32LE(12)) return 'unreadable';
  return { sequence: readSequence(buffer, 0), epoch: buffer.readUInt32LE(8) };
}
