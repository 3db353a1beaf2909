import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeWhole, type JournalFiles } from './journal-files';

const NAME = 'reserve';
/** Space for the ends of some thousand attempts, larger than any one record. */
const BYTES = 4 * 1024 * 1024;
const CODES = new Set(['ENOSPC', 'EDQUOT']);

export function isDiskFullError(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/**
 * Disk space set aside for the ends of attempts that run when the disk fills up. That it can be taken again is the sign
 * that there is space for new attempts.
 */
export class DiskReserve {
  private isTaken = false;
  private readonly path: string;

  constructor(
    folder: string,
    private readonly files: JournalFiles,
  ) {
    this.path = join(folder, NAME);
  }

  /** Returns false while the disk has no space for it. */
  take(): boolean {
    if (this.isTaken) return true;
    try {
      const fd = this.files.openSync(this.path, 'w');
      try {
        // Not zeros: a file system that compresses would set nothing aside for them.
        writeWhole(this.files, { fd, bytes: randomBytes(BYTES), length: BYTES });
      } finally {
        this.files.closeSync(fd);
      }
      this.isTaken = true;
    } catch (error) {
      this.files.rmSync(this.path);
      if (!isDiskFullError(error)) throw error;
    }
    return this.isTaken;
  }

  /** Gives the space to whatever is written next; returns false when it was given already. */
  give(): boolean {
    const wasTaken = this.isTaken;
    this.isTaken = false;
    this.files.rmSync(this.path);
    return wasTaken;
  }
}
