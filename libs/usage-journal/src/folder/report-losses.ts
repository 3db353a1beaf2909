import type { JournalLog } from '../ports/journal-log';
import type { WriterFolder } from './choose-writer-folder';
import type { FolderScan } from './scan-folder';

/** Attempts named in a line of the log: enough to look some of them up. */
const SAMPLE = 20;

/** Logs what a scan found to be lost. Returns whether somebody has emptied the folder, or cut what is in it. */
export function reportLosses(folder: WriterFolder, scan: FolderScan, log: JournalLog | undefined): boolean {
  const { writerId } = folder;
  for (const { from, to } of scan.newGaps) log?.error({ writerId, from, to }, 'usage events are lost from the journal');
  if (scan.doubtful.length > 0) {
    const sample = scan.doubtful.slice(0, SAMPLE);
    log?.error({ writerId, count: scan.doubtful.length, sample }, 'attempts may have ended among the lost events; they are not charged');
  }
  const isEmptied = scan.isEmptied && !folder.isNew;
  if (isEmptied) {
    log?.error({ folder: folder.path }, 'the files of a usage journal were removed or emptied: usage that was not aggregated yet is lost');
  }
  const isCut = scan.isCut && !isEmptied;
  if (isCut) {
    log?.error(
      { folder: folder.path, nextSequence: scan.nextSequence },
      'files of a usage journal were cut, or older ones put back: they end before what is counted already, and usage behind it is lost',
    );
  }
  return isEmptied || isCut;
}
