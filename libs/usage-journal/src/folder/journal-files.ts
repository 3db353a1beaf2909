import { fdatasync, writeSync } from 'node:fs';

/** The two calls on which everything depends, as an interface that specs can let fail. */
export type JournalFiles = {
  /** Writes `length` of the bytes, from offset `from` on, and returns how many were taken. */
  writeSync(fd: number, bytes: Buffer, from: number, length: number): number;
  fdatasync(fd: number, done: (error: Error | null) => void): void;
};

export const NODE_FILES: JournalFiles = { writeSync, fdatasync };

/** A disk that is nearly full takes a part and says so only at the next write. */
export function writeWhole(files: JournalFiles, { fd, bytes, length }: { fd: number; bytes: Buffer; length: number }): void {
  for (let written = 0; written < length;) written += files.writeSync(fd, bytes, written, length - written);
}
