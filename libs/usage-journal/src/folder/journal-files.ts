import { fdatasync, writeSync } from 'node:fs';

/** The two calls on which everything depends, as a door that specs can let fail. */
export type JournalFiles = {
  /** Answers how many of the bytes were taken. */
  writeSync(fd: number, bytes: Buffer): number;
  fdatasync(fd: number, done: (error: Error | null) => void): void;
};

export const NODE_FILES: JournalFiles = { writeSync: (fd, bytes) => writeSync(fd, bytes), fdatasync };
