import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = 'quarantine';

/** Keeps a copy of a damaged segment for the operator to inspect. The same damage found again is not copied again. */
export function keepDamagedCopy(folder: string, segmentPath: string, damagedAt: number): void {
  const target = join(folder, FOLDER, `${basename(segmentPath)}.${damagedAt}`);
  if (existsSync(target)) return;
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  copyFileSync(segmentPath, target);
}

/** Takes a segment that belongs elsewhere out of the journal. */
export function moveToQuarantine(folder: string, segmentPath: string): void {
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  renameSync(segmentPath, join(folder, FOLDER, `${basename(segmentPath)}.foreign`));
}
