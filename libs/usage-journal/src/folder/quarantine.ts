import { basename, join } from 'node:path';
import type { JournalFiles } from './journal-files';

const FOLDER = 'quarantine';

/** Keeps a copy of a damaged segment for the operator to inspect. The same damage found again is not copied again. */
export function keepDamagedCopy(files: JournalFiles, folder: string, segmentPath: string, damagedAt: number): void {
  const target = join(folder, FOLDER, `${basename(segmentPath)}.${damagedAt}`);
  if (files.existsSync(target)) return;
  files.makePrivateDirectory(join(folder, FOLDER));
  files.copyFileSync(segmentPath, target);
}

/** Takes a segment that belongs elsewhere out of the journal. */
export function moveToQuarantine(files: JournalFiles, folder: string, segmentPath: string): void {
  files.makePrivateDirectory(join(folder, FOLDER));
  files.renameSync(segmentPath, join(folder, FOLDER, `${basename(segmentPath)}.foreign`));
}
