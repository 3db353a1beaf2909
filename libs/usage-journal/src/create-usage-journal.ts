import { adoptOrphanFolders, createWriterFolder, type WriterFolder } from './folder/choose-writer-folder';
import { isDiskFullError } from './folder/disk-reserve';
import { NODE_FILES, type JournalFiles } from './folder/journal-files';
import { hasLaterSegment, refuseLaterJournals } from './folder/later-versions';
import { scanFolder } from './folder/scan-folder';
import { FolderJournal } from './folder-journal';
import { JournalUnavailableError, type UsageJournal, type UsageJournalOptions } from './usage-journal';

/**
 * Starts the journal of this process, as a writer that never was before. What processes before it left are orphans. Throws where a
 * later version left some of them.
 */
export function createUsageJournal(options: UsageJournalOptions): UsageJournal {
  const files = filesOf(options);
  refuseLaterJournals(options.directory, files, options);
  return openJournal(createWriterFolder(options.directory, files, options.newWriterId?.()), options);
}

/**
 * Opens the journals of writers that no living process holds, under their own writer ids, so that what they left can be
 * shipped. Recovery is part of opening. It never fails over what it finds on disk, and ends every attempt that a crash
 * left open. Where the disk has no space even for that, a journal stays as it is for a later start.
 */
export function openOrphanJournals(options: UsageJournalOptions): UsageJournal[] {
  return adoptOrphanFolders(options.directory, filesOf(options), options.log).flatMap((folder) => openOrphanJournal(folder, options) ?? []);
}

/** One of them; undefined where the disk is full, or a later version has to read it. */
export function openOrphanJournal(folder: WriterFolder, options: UsageJournalOptions): UsageJournal | undefined {
  if (hasLaterSegment(folder.path, folder.files)) {
    folder.lock.release();
    return undefined;
  }
  try {
    return openJournal(folder, options);
  } catch (error) {
    if (!isFull(error)) throw error;
    options.log?.error({ error, writerId: folder.writerId }, 'the disk is full: an abandoned usage journal waits for the next start');
    return undefined;
  }
}

function filesOf({ files }: UsageJournalOptions): JournalFiles {
  return files === undefined ? NODE_FILES : { ...NODE_FILES, ...files };
}

/** Of the operating system, or of a journal that could not append to its own files. */
function isFull(error: unknown): boolean {
  return isDiskFullError(error) || (error instanceof JournalUnavailableError && error.reason === 'full');
}

function openJournal(folder: WriterFolder, options: UsageJournalOptions): UsageJournal {
  let journal: FolderJournal | undefined;
  try {
    const scan = scanFolder(folder, options.log);
    journal = new FolderJournal(folder, scan, options);
    journal.recover(scan);
    return journal;
  } catch (error) {
    if (journal === undefined) folder.lock.release();
    else journal.abandon();
    throw error;
  }
}
