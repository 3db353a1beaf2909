import { closeSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** The segments of a writer's folder in the order of their sequences. */
export function listSegmentFiles(folder: string): SegmentFile[] {
  const found: SegmentFile[] = [];
  for (const name of readdirSync(folder)) {
    const digits = NAME.exec(name)?.[1];
    const firstSequence = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
    if (!Number.isSafeInteger(firstSequence)) continue;
    const path = join(folder, name);
    found.push({ path, firstSequence, bytes: statSync(path).size });
  }
  return found.sort((a, b) => a.firstSequence - b.firstSequence);
}

export function closeSegment(segment: SegmentFile): void {
  const { fd } = segment;
  if (fd === undefined) return;
  delete segment.fd;
  closeSync(fd);
}
