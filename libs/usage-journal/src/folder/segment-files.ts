import { join } from 'node:path';
import { NODE_FILES, type JournalFiles } from './journal-files';

export type SegmentFile = {
  readonly path: string;
  readonly firstSequence: number;
  bytes: number;
  /** How often the file was written again under its name: who has it open must open it anew. */
  generation?: number;
  /** Kept open, once it is full, as long as it is kept: what others remove is written again from here. */
  fd?: number;
};

const NAME = /^([0-9a-f]{16})\.seg$/;

export function segmentName(firstSequence: number): string {
  return `${firstSequence.toString(16).padStart(16, '0')}.seg`;
}

/** The segments of a writer's folder in the order of their sequences. A folder that has the name of one is none. */
export function listSegmentFiles(folder: string, files: JournalFiles = NODE_FILES): SegmentFile[] {
  const found: SegmentFile[] = [];
  for (const name of files.readdirSync(folder)) {
    const digits = NAME.exec(name)?.[1];
    const firstSequence = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
    if (!Number.isSafeInteger(firstSequence)) continue;
    const path = join(folder, name);
    const facts = files.statSync(path);
    if (facts?.isDirectory() === false) found.push({ path, firstSequence, bytes: facts.size });
  }
  return found.sort((a, b) => a.firstSequence - b.firstSequence);
}

export function closeSegment(segment: SegmentFile, files: JournalFiles): void {
  const { fd } = segment;
  if (fd === undefined) return;
  delete segment.fd;
  files.closeSync(fd);
}
