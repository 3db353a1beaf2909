import type { JournalLog } from '../ports/journal-log';
import { DiskReserve } from './disk-reserve';
import type { JournalFiles } from './journal-files';

/** The end of an attempt: the JSON of its event, without what its beginning has already where that is given, and where it has it. */
export type AttemptEnd = {
  readonly eventId: string;
  readonly text: string;
  readonly begun: { readonly text: string; readonly at: number } | undefined;
};

type Waiting = { readonly until: number; readonly resolve: () => void; readonly reject: (error: Error) => void };

type Folder = { readonly path: string; readonly writerId: string; readonly isNew: boolean; readonly files: JournalFiles };

/** Ends that a full disk did not take, in the order of their sequences, and the space that is set aside for them. */
export class UnwrittenEnds {
  /** How many of them are in the memory of this process only. */
  unkept = 0;
  private readonly ends: AttemptEnd[] = [];
  /** How many were written by now, of all that were ever added. */
  private written = 0;
  private readonly waiting: Waiting[] = [];
  private readonly reserve: DiskReserve | undefined;

  /** What a dead writer left needs no reserve: its beginnings stay until their ends are written. */
  constructor(
    private readonly folder: Folder,
    reserveBytes: number | undefined,
  ) {
    this.reserve = folder.isNew ? new DiskReserve(folder.path, folder.files, reserveBytes) : undefined;
  }

  get count(): number {
    return this.ends.length;
  }

  get first(): AttemptEnd | undefined {
    return this.ends[0];
  }

  /** Throws what the disk fails with; that it is full is no failure. */
  add(end: AttemptEnd): void {
    this.ends.push(end);
    if (this.reserve?.keep({ eventId: end.eventId, text: wholeText(end) }) !== true) this.unkept += 1;
  }

  list(): string[] {
    return this.ends.map(wholeText);
  }

  /**
   * Resolves when all that were added so far are written, whatever is added later: once they are, others may ship and count
   * them. Rejects when they are left to the next process.
   */
  whenWritten(): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ until: this.written + this.ends.length, resolve, reject }));
  }

  /** The first one is written. */
  shift(): void {
    this.ends.shift();
    this.written += 1;
    if (this.ends.length === 0) this.unkept = 0;
    for (let next = this.waiting[0]; next !== undefined && next.until <= this.written; next = this.waiting[0]) {
      this.waiting.shift();
      next.resolve();
    }
  }

  /** Sets space aside; returns false while there is none. */
  takeReserve(): boolean {
    return this.reserve === undefined || this.reserve.take();
  }

  /** That there is as much space again, beside the reserve, is the sign that new attempts can be accepted. */
  hasSpace(): boolean {
    return this.reserve === undefined || (this.reserve.take() && this.reserve.hasSpace());
  }

  /** Leaves what is not written to the next process: who waits for it gets `reason`. */
  close(log: JournalLog | undefined, reason: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(reason);
    if (this.ends.length === 0) return this.reserve?.remove();
    this.reserve?.close();
    const { unkept } = this;
    const facts = { writerId: this.folder.writerId, kept: this.ends.length - unkept };
    if (unkept === 0) log?.warn(facts, 'the disk is full: ends of attempts stay in the reserve until the next start');
    else log?.error({ ...facts, count: unkept }, 'the disk is full: ends of attempts are lost, their beginnings are charged');
  }
}

function wholeText({ text, begun }: AttemptEnd): string {
  return begun === undefined ? text : begun.text + text;
}
