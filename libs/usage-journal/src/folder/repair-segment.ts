import { dirname } from 'node:path';
import { writeWhole, type JournalFiles } from './journal-files';
import { moveToQuarantine } from './quarantine';
import type { SegmentFile } from './segment-files';

/** What others did to the segment that is written to: it has no name any more, or it is shorter than what was written. */
export type SegmentHarm = 'removed' | 'cut';

const CHUNK_BYTES = 1024 * 1024;

export function findHarm(segment: SegmentFile, fd: number, files: JournalFiles): SegmentHarm | undefined {
  const own = files.fstatSync(fd);
  const named = files.statSync(segment.path);
  if (named === undefined || named.ino !== own.ino || named.dev !== own.dev) return 'removed';
  return own.size < segment.bytes ? 'cut' : undefined;
}

/** Whether a file or folder was looked for in vain. */
export function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

/** A removed file lives as long as it is open: what is in it gets its name again, and readers open it anew. Returns the new open file. */
export function writeAgain(segment: SegmentFile, fd: number, files: JournalFiles): number {
  const folder = dirname(segment.path);
  files.makePrivateDirectory(folder);
  if (files.existsSync(segment.path)) moveToQuarantine(files, folder, segment.path);
  const fresh = files.openSync(segment.path, 'ax+');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; ;) {
      const length = files.readSync(fd, chunk, 0, chunk.length, at);
      if (length === 0) break;
      writeWhole(files, { fd: fresh, bytes: chunk, length });
      at += length;
    }
    segment.generation = (segment.generation ?? 0) + 1;
    return fresh;
  } catch (error) {
    files.closeSync(fresh);
    files.rmSync(segment.path);
    throw error;
  }
}
