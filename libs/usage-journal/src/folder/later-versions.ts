import { join } from 'node:path';
import { isOfLaterVersion, SEGMENT_HEADER_BYTES } from '../format/segment-header';
import type { JournalLog } from '../ports/journal-log';
import { WRITER_ID } from './choose-writer-folder';
import type { JournalFiles } from './journal-files';
import { listSegmentFiles } from './segment-files';

type VersionRules = { readonly isNewerAllowed?: boolean | undefined; readonly log?: JournalLog | undefined };

/** Throws where a folder has journals that only a later version can read: what this one does not know of them would be lost. */
export function refuseLaterJournals(directory: string, files: JournalFiles, { isNewerAllowed = false, log }: VersionRules): void {
  if (!files.existsSync(directory)) return;
  const later = files.readdirSync(directory).filter((name) => WRITER_ID.test(name) && hasLaterSegment(join(directory, name), files));
  if (later.length === 0) return;
  const found = `${later.length} of the usage journals in ${directory} can be read by a later version of Weir only`;
  if (!isNewerAllowed)
    throw new Error(
      `${found}: this one would pass over usage that was not counted yet. Start the version that wrote them, or a later one, and let ` +
        'it run until weir_journal_unaggregated_events is 0. NEWER_DATA_ALLOWED=true starts all the same, and leaves them as they are',
    );
  log?.error({ writerIds: later }, `${found}; they are left as they are until one starts`);
}

/** Whether any segment of this writer needs a later version. */
export function hasLaterSegment(folder: string, files: JournalFiles): boolean {
  try {
    return listSegmentFiles(folder, files).some(({ path }) => isOfLaterVersion(readHeaderBytes(path, files)));
  } catch (error) {
    // Retired by its process since it was listed, or trimmed; or no folder of a writer at all.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function readHeaderBytes(path: string, files: JournalFiles): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  const fd = files.openSync(path, 'r');
  try {
    return bytes.subarray(0, files.readSync(fd, bytes, 0, SEGMENT_HEADER_BYTES, 0));
  } finally {
    files.closeSync(fd);
  }
}
