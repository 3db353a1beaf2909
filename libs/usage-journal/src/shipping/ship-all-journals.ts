import { join } from 'node:path';
import { adoptFolder, listWriters } from '../folder/choose-writer-folder';
import { openOrphanJournal } from '../create-usage-journal';
import type { UsageJournal, UsageJournalOptions } from '../usage-journal';
import { createJournalShipper, type JournalShipper, type JournalShipperOptions } from './create-journal-shipper';
import { FolderTail } from './folder-tail';
import type { OrphanJournal } from './ship-orphan-journals';
import { waitUntilWritten } from './wait-until-written';

export type AllShippingOptions = Omit<JournalShipperOptions, 'journal'> & {
  readonly journals: UsageJournalOptions;
  /** Called with each dead writer of which all is aggregated, before its folder is removed. */
  readonly onAggregated: (writerId: string) => Promise<void>;
  /** Called with what recovery of a dead writer's journal could not give back. */
  readonly onLost: (sequences: number) => void;
  /** How often journals are looked at. */
  readonly lookMs?: number;
};

type LivingJournal = { readonly journal: FolderTail; readonly shipper: JournalShipper };

/** Ships the journals of all writers that share a directory. */
export type AllShipping = {
  /** Of writers that live. */
  living(): readonly LivingJournal[];
  /** Of writers that are dead, and not wholly aggregated yet. */
  orphans(): readonly OrphanJournal[];
  /** True when all that is in any journal now was published within the time, or is known to be aggregated. */
  drain(timeoutMs: number, until: 'published' | 'aggregated'): Promise<boolean>;
  close(): Promise<void>;
};

const LOOK_MS = 50;
/** Whether a writer lives is asked of the kernel, which is no matter of microseconds. */
const LOOKS_PER_ADOPTION = 5;
const FOR_EVER_MS = 2 ** 31 - 1;

/**
 * Finds every writer's folder, ships what its process appends as long as that lives, and when it is dead recovers and ships
 * what it left, and removes it. This process has no journal of its own.
 */
export async function shipAllJournals(options: AllShippingOptions): Promise<AllShipping> {
  const shipping = new Shipping(options);
  await shipping.start();
  return shipping;
}

class Shipping implements AllShipping {
  private readonly tails = new Map<string, LivingJournal>();
  private readonly dead = new Map<string, OrphanJournal & { readonly retired: Promise<void> }>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private looks = 0;
  private isClosed = false;

  constructor(private readonly options: AllShippingOptions) {}

  async start(): Promise<void> {
    const { journals, log } = this.options;
    listWriters(journals.directory, undefined, log); // said once, not at each look
    await this.look();
    this.schedule();
  }

  living(): readonly LivingJournal[] {
    return [...this.tails.values()];
  }

  orphans(): readonly OrphanJournal[] {
    return [...this.dead.values()];
  }

  async drain(timeoutMs: number, until: 'published' | 'aggregated'): Promise<boolean> {
    await this.lookOnce(true);
    const drains = [...this.living(), ...this.orphans()].map(({ shipper }) =>
      until === 'published' ? shipper.drain(timeoutMs) : shipper.drainToWatermark(timeoutMs),
    );
    return (await Promise.all(drains)).every(Boolean);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking;
    await Promise.all([...this.tails.keys()].map((writerId) => this.stopTail(writerId)));
    await Promise.all(
      [...this.dead.values()].map(async ({ journal, shipper, retired }) => {
        await shipper.close();
        await retired;
        await journal.close();
      }),
    );
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.lookOnce(false).finally(() => this.schedule()), this.options.lookMs ?? LOOK_MS).unref();
  }

  /** One look at a time: adopting a folder must not meet another look at it. */
  private lookOnce(isThorough: boolean): Promise<void> {
    if (isThorough) this.looks = 0;
    return (this.looking = this.looking.then(() => this.look()));
  }

  private async look(): Promise<void> {
    if (this.isClosed) return;
    try {
      if (this.looks % LOOKS_PER_ADOPTION === 0) await this.sortWriters();
      this.looks += 1;
    } catch (error) {
      this.options.log?.error({ error }, 'the folders of usage journals could not be looked at; trying again');
    }
    await Promise.all([...this.tails].map(([writerId, { journal }]) => this.lookAt(writerId, journal)));
  }

  private async lookAt(writerId: string, journal: FolderTail): Promise<void> {
    await journal.look().catch((error: unknown) => {
      this.options.log?.error({ error, writerId }, 'the usage journal of another process could not be read; trying again');
    });
  }

  private async sortWriters(): Promise<void> {
    const { directory } = this.options.journals;
    for (const writerId of listWriters(directory)) {
      if (this.dead.has(writerId)) continue;
      const folder = adoptFolder(directory, writerId);
      if (folder === undefined) {
        await this.startTail(writerId, join(directory, writerId));
        continue;
      }
      // Its process is dead. Nothing is read from its files any more, but by who recovers them.
      await this.stopTail(writerId);
      const journal = openOrphanJournal(folder, this.options.journals);
      if (journal !== undefined) this.adopt(journal);
    }
  }

  private async startTail(writerId: string, folder: string): Promise<void> {
    if (this.tails.has(writerId)) return;
    const journal = new FolderTail(folder, writerId);
    await journal.look(); // what was trimmed is known before anything is read
    this.tails.set(writerId, { journal, shipper: createJournalShipper({ ...this.shipperOptions(), journal }) });
  }

  private async stopTail(writerId: string): Promise<void> {
    const living = this.tails.get(writerId);
    if (living === undefined) return;
    this.tails.delete(writerId);
    await living.shipper.close();
    await living.journal.close();
  }

  private adopt(journal: UsageJournal): void {
    const { writerId } = journal;
    const stats = journal.stats();
    this.options.onLost(stats.recovered.lostSequences);
    if (hasRecovered(journal)) this.options.log?.info({ writerId, ...stats }, 'the usage journal of a process that ended is being shipped');
    const shipper = createJournalShipper({ ...this.shipperOptions(), journal });
    const retired = this.retireWhenAggregated(journal, shipper).catch((error: unknown) => {
      this.options.log?.warn({ error, writerId }, 'an abandoned usage journal could not be removed');
    });
    this.dead.set(writerId, { journal, shipper, retired });
  }

  /** Its writer is forgotten first: were it the other way round, a death in between would leave it known for ever. */
  private async retireWhenAggregated(journal: UsageJournal, shipper: JournalShipper): Promise<void> {
    const { writerId } = journal;
    await waitUntilWritten(journal, { timers: this.options.timers, isClosed: () => this.isClosed });
    if (!(await shipper.drainToWatermark(FOR_EVER_MS))) return;
    await this.options.onAggregated(writerId);
    await shipper.close();
    await journal.retire();
    this.dead.delete(writerId);
    if (hasRecovered(journal)) this.options.log?.info({ writerId }, 'an abandoned usage journal is wholly aggregated and was removed');
  }

  private shipperOptions(): Omit<JournalShipperOptions, 'journal'> {
    const { journals: _journals, onAggregated: _onAggregated, onLost: _onLost, lookMs: _lookMs, ...shipper } = this.options;
    return shipper;
  }
}

/** A process that ended in order left nothing to recover: that its journal is shipped to its end is no news. */
function hasRecovered(journal: UsageJournal): boolean {
  return Object.values(journal.stats().recovered).some((count) => count > 0);
}
