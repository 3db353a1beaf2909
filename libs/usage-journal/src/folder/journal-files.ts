import { fdatasync, writeSync } from 'node:fs';

/** The two calls on which everything depends, as a door that specs can let fail. */
export type JournalFiles = {
  writeSync(fd: number, buffer: Buffer, offset: number, length: number): number;
  fdatasync(fd: number, done: (error: Error | null) => void): void;
};

export const NODE_FILES: JournalFiles = { writeSync: (fd, buffer, offset, length) => writeSync(fd, buffer, offset, length), fdatasync };
