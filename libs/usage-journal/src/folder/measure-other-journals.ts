import { join } from 'node:path';
import { listWriters } from './choose-writer-folder';
import { listSegmentFiles } from './segment-files';

/** How many bytes the journals of all other writers of a directory take, living and dead. */
export function measureOtherJournals(directory: string, ownWriterId: string): number {
  let total = 0;
  for (const writerId of listWriters(directory)) {
    if (writerId !== ownWriterId) total += measureFolder(join(directory, writerId));
  }
  return total;
}

/** Others remove what is in it while it is looked at. */
function measureFolder(folder: string): number {
  try {
    return listSegmentFiles(folder).reduce((sum, { bytes }) => sum + bytes, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 0;
  }
}
