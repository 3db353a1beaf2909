import { write, writeSync } from 'node:fs';

const STDOUT = 1;
const FLUSH_EVERY_MS = 100;
const GATHERED_MAX = 8 * 1024;
/** While no one reads or there is no place to write, later lines are dropped. */
const UNWRITTEN_MAX = 16 * 2 ** 20;
/** How long the last lines wait for a reader that is slow. */
const LAST_WAIT_MS = 1_000;
const POLL_MS = 10;

type LogStream = {
  write(line: string): void;
  /** Writes what is gathered then and there, as far as somebody takes it; where stdout does not block, within a second. Never throws. */
  flushSync(): void;
};

/**
 * Gathers lines for a tenth of a second and writes them beside whatever runs. What cannot be written waits for the next
 * time, and what is last is tried once: a full disk or a reader that is gone neither ends the process nor holds up its end,
 * for which pino's own destination, once asked to write at once, tries for ever. A reader that does not read does not hold
 * it up either where stdout does not block; a pipe that blocks does until somebody reads or kills.
 */
export function openStdout(): LogStream {
  const stdout = new Stdout();
  setInterval(() => stdout.flush(), FLUSH_EVERY_MS).unref();
  process.on('exit', () => stdout.flushSync());
  return stdout;
}

class Stdout implements LogStream {
  /** Goes before what is gathered. */
  private rest = Buffer.alloc(0);
  private gathered = '';
  private isWriting = false;
  private isRefused = false;

  write(line: string): void {
    if (this.gathered.length + this.rest.length > UNWRITTEN_MAX) return;
    this.gathered += line;
    if (this.gathered.length >= GATHERED_MAX && !this.isRefused) this.flush();
  }

  flush(): void {
    if (this.isWriting || !this.takeMore()) return;
    this.isWriting = true;
    write(STDOUT, this.rest, 0, this.rest.length, (error, bytes) => {
      this.isWriting = false;
      this.isRefused = error !== null;
      if (error !== null) return;
      this.rest = this.rest.subarray(bytes);
      if (this.rest.length > 0 || this.gathered.length >= GATHERED_MAX) this.flush();
    });
  }

  flushSync(): void {
    // What is under way is the kernel's already; what comes after it does not wait for it.
    const underWay = this.rest;
    if (this.isWriting) this.rest = Buffer.alloc(0);
    const until = Date.now() + LAST_WAIT_MS;
    while (this.takeMore() && this.writeSome(until));
    if (this.isWriting) this.rest = Buffer.concat([underWay, this.rest]);
  }

  /** Returns false when there is nothing to write. */
  private takeMore(): boolean {
    if (this.rest.length === 0) {
      this.rest = Buffer.from(this.gathered);
      this.gathered = '';
    }
    return this.rest.length > 0;
  }

  /** Returns false when it is of no use to go on. */
  private writeSome(until: number): boolean {
    try {
      this.rest = this.rest.subarray(writeSync(STDOUT, this.rest, 0, this.rest.length));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() >= until) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      return true;
    }
  }
}
