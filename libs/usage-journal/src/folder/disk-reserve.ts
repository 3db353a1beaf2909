import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeWholeAt, type JournalFiles } from './journal-files';

const NAME = 'reserve';
const PROBE_NAME = 'probe';
/** Space for the whole ends of some thousand attempts. */
const BYTES = 8 * 1024 * 1024;
const CODES = new Set(['ENOSPC', 'EDQUOT']);
/** Of an entry: `WEND`, bytes and CRC-32 of its text, both with 32 bits, little-endian. */
const MARK = 0x444e4557;
const HEADER_BYTES = 12;

/** An end that a full disk did not take: the id of its event, and the event as JSON. */
export type KeptEnd = { readonly eventId: string; readonly text: string };

export function isDiskFullError(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/**
 * Disk space set aside for the ends of attempts that run when the disk fills up. Ends are written over the bytes of its own
 * file: space that was freed for them would be taken by whatever else fills the disk.
 */
export class DiskReserve {
  private fd: number | undefined;
  /** Where the next entry goes. */
  private at = 0;
  private readonly path: string;
  private readonly probePath: string;

  constructor(
    folder: string,
    private readonly files: JournalFiles,
    private readonly bytes = BYTES,
  ) {
    this.path = join(folder, NAME);
    this.probePath = join(folder, PROBE_NAME);
  }

  /** Sets the space aside, and forgets what is in it; returns false while the disk has no space for it. */
  take(): boolean {
    if (this.fd !== undefined && this.at === 0) return true;
    this.fd ??= this.files.openSync(this.path, 'w');
    this.at = 0;
    if (this.fill(this.fd)) return true;
    this.remove();
    return false;
  }

  /** Writes an end; returns false when there is no space left for it. */
  keep({ eventId, text }: KeptEnd): boolean {
    if (this.fd === undefined) return false;
    const entry = encodeEntry(`${eventId}\n${text}`);
    if (this.at + entry.length > this.bytes || !this.write(this.fd, entry, this.at)) return false;
    this.at += entry.length;
    return true;
  }

  /** Whether the disk has as much space again, beside what is set aside. */
  hasSpace(): boolean {
    const fd = this.files.openSync(this.probePath, 'w');
    try {
      return this.fill(fd);
    } finally {
      this.files.closeSync(fd);
      this.files.rmSync(this.probePath);
    }
  }

  remove(): void {
    if (this.fd === undefined) return;
    this.close();
    this.files.rmSync(this.path);
  }

  /** Leaves it to the next process. */
  close(): void {
    if (this.fd !== undefined) this.files.closeSync(this.fd);
    this.fd = undefined;
  }

  /** Not zeros: a file system that compresses would set nothing aside for them. */
  private fill(fd: number): boolean {
    return this.write(fd, randomBytes(this.bytes), 0);
  }

  private write(fd: number, bytes: Buffer, position: number): boolean {
    try {
      writeWholeAt(this.files, fd, bytes, position);
      return true;
    } catch (error) {
      if (!isDiskFullError(error)) throw error;
      return false;
    }
  }
}

/** What a process that ended had kept there, in its order; it may have written some of it to its journal since. */
export function readReserve(folder: string, files: JournalFiles): KeptEnd[] {
  const path = join(folder, NAME);
  if (!files.existsSync(path)) return [];
  const bytes = files.readFileSync(path);
  const kept: KeptEnd[] = [];
  for (let at = 0; ;) {
    const text = decodeEntry(bytes, at);
    if (text === undefined) return kept;
    const line = text.indexOf('\n');
    kept.push({ eventId: text.slice(0, line), text: text.slice(line + 1) });
    at += HEADER_BYTES + Buffer.byteLength(text);
  }
}

function encodeEntry(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(MARK, 0);
  header.writeUInt32LE(payload.length, 4);
  header.writeUInt32LE(crc32(payload), 8);
  return Buffer.concat([header, payload]);
}

/** Undefined where none is, or not all of it. */
function decodeEntry(bytes: Buffer, at: number): string | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MARK) return undefined;
  const start = at + HEADER_BYTES;
  const payload = bytes.subarray(start, start + bytes.readUInt32LE(at + 4));
  return crc32(payload) === bytes.readUInt32LE(at + 8) ? payload.toString() : undefined;
}
