import { NODE_TIMERS, type SequencedUsageEvent, type Timer, type Timers } from '@weir/contracts';
import type { JournalLog } from '../ports/journal-log';
import type { Watermarks } from '../ports/watermarks';
import type { UsageJournal } from '../usage-journal';
import { TailReader } from './tail-reader';
import { createWatermarkLag } from './watermark-lag';

/** What of a journal is needed to ship it: of one's own, or of another process' that is read from its files. */
export type ShippedJournal = Pick<UsageJournal, 'writerId' | 'epoch' | 'tail' | 'flush'>;

export type JournalShipperOptions = {
  readonly journal: ShippedJournal;
  /** Resolves once the events are taken over. What it rejects is published again, for ever, before anything later. */
  readonly publish: (events: SequencedUsageEvent[]) => Promise<void>;
  readonly watermarks: Watermarks;
  readonly batchMax?: number;
  /** How often the watermark is read, and the journal trimmed by it. */
  readonly pollMs?: number;
  /** How long events are gathered before a batch is synced and shipped, when there was nothing to ship before. */
  readonly lingerMs?: number;
  /** How far apart batches are shipped while events keep coming: each costs a sync, a send and a transaction, however few it has. */
  readonly everyMs?: number;
  /** Published, but not aggregated after this long: published again, in case the bus lost it. Doubles with every try. */
  readonly resendAfterMs?: number;
  readonly now?: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed?: () => number;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
  readonly log?: JournalLog;
};

type ShipperStats = {
  readonly publishedBelow: number;
  /** Everything below is known to be aggregated. */
  readonly aggregatedBelow: number;
  readonly watermark: number | undefined;
  readonly watermarkLagMs: number;
  readonly failures: number;
};

export type JournalShipper = {
  /** Publishes everything from this sequence on once more. */
  resendFrom(sequence: bigint): void;
  /** True when everything written before the call was published within the time. */
  drain(timeoutMs: number): Promise<boolean>;
  /** True when everything written before the call is known to be aggregated, looking every `pollMs`. */
  drainToWatermark(timeoutMs: number): Promise<boolean>;
  stats(): ShipperStats;
  /** Stops shipping. What was not shipped is shipped by the next process. */
  close(): Promise<void>;
};

const BATCH_MAX = 2_000;
const POLL_MS = 1_000;
const LINGER_MS = 10;
const EVERY_MS = 250;
const RESEND_AFTER_MS = 120_000;
const RESEND_AFTER_MAX_MS = 3_600_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

/** Ships a journal's events in order, from where the aggregator's watermark stands, and trims what is aggregated. */
export function createJournalShipper(options: JournalShipperOptions): JournalShipper {
  const shipper = new Shipper(options);
  shipper.start();
  return shipper;
}

class Shipper implements JournalShipper {
  private readonly reader: TailReader;
  private watermark: number | undefined;
  private movedAt: number;
  private resendAfterMs: number;
  private failures = 0;
  /** Where to go on reading instead: back to publish again, or ahead of what turned out to be aggregated already. */
  private seekTo: number | undefined;
  private isClosed = false;
  private isIdle = false;
  /** Before it was, a journal that ends before what is counted looks as if all of it were. */
  private isWatermarkAsked = false;
  private stop: () => void = () => undefined;
  private readonly stopped = new Promise<'stopped'>((resolve) => {
    this.stop = () => resolve('stopped');
  });
  private wake: (() => void) | undefined;
  private lingerTimer: Timer | undefined;
  private pollTimer: Timer | undefined;
  private polling: Promise<void> = Promise.resolve();
  private shipping: Promise<void> = Promise.resolve();
  private publishedBelow: number;
  private readonly waiting = new Set<() => void>();
  private readonly now: () => number;
  private readonly elapsed: () => number;
  private readonly timers: Timers;
  private readonly lag: ReturnType<typeof createWatermarkLag>;
  private watermarkLagMs = 0;

  constructor(private readonly options: JournalShipperOptions) {
    const { journal, log } = options;
    this.now = options.now ?? Date.now;
    this.elapsed = options.elapsed ?? (() => performance.now());
    this.timers = options.timers ?? NODE_TIMERS;
    this.lag = createWatermarkLag(this.now);
    this.movedAt = this.now();
    this.resendAfterMs = options.resendAfterMs ?? RESEND_AFTER_MS;
    this.publishedBelow = journal.tail.trimmedBelow;
    const { writerId, epoch, tail } = journal;
    this.reader = new TailReader({ tail, writerId, epoch, ...(log === undefined ? {} : { log }) }, this.publishedBelow);
  }

  start(): void {
    this.options.journal.tail.onEnd(() => {
      // Only an idle shipper needs to be woken; a busy one looks by itself before it goes idle.
      if (this.isIdle) this.lingerTimer ??= this.timers.setTimeout(() => this.wakeNow(), this.options.lingerMs ?? LINGER_MS);
    });
    this.shipping = this.run();
  }

  resendFrom(sequence: bigint): void {
    const from = Math.max(Number(sequence), this.options.journal.tail.trimmedBelow);
    if (from >= this.publishedBelow) return;
    this.seekTo = Math.min(from, this.seekTo ?? from);
    this.wakeNow();
  }

  drain(timeoutMs: number): Promise<boolean> {
    const target = this.options.journal.tail.nextSequence;
    return this.waitUntil(() => this.publishedBelow >= target, timeoutMs);
  }

  drainToWatermark(timeoutMs: number): Promise<boolean> {
    const target = this.options.journal.tail.nextSequence;
    return this.waitUntil(() => this.isWatermarkAsked && this.aggregatedBelow >= target, timeoutMs);
  }

  stats(): ShipperStats {
    const { publishedBelow, aggregatedBelow, watermark, watermarkLagMs, failures } = this;
    return { publishedBelow, aggregatedBelow, watermark, watermarkLagMs, failures };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stop();
    this.options.journal.tail.onEnd(undefined);
    this.timers.clearTimeout(this.pollTimer);
    this.wakeNow();
    this.reportWaiting();
    await this.shipping;
    await this.polling;
    await this.reader.close();
  }

  private get aggregatedBelow(): number {
    return Math.max((this.watermark ?? -1) + 1, this.options.journal.tail.trimmedBelow);
  }

  private async run(): Promise<void> {
    await this.readWatermark();
    this.isWatermarkAsked = true;
    const start = Math.max(this.options.journal.tail.trimmedBelow, (this.watermark ?? -1) + 1);
    await this.reader.seek(start);
    this.publishedBelow = start;
    this.reportWaiting();
    this.schedulePoll();
    while (!this.isClosed) {
      try {
        await this.shipOnce();
      } catch (error) {
        this.options.log?.error({ error, writerId: this.options.journal.writerId }, 'the usage journal could not be read back');
        await this.reader.seek(this.publishedBelow).catch(() => undefined);
        await this.pause(RETRY_MAX_MS);
      }
    }
  }

  private async shipOnce(): Promise<void> {
    const { seekTo } = this;
    this.seekTo = undefined;
    if (seekTo !== undefined) await this.reader.seek(seekTo);
    const events = await this.reader.next(this.options.batchMax ?? BATCH_MAX);
    if (events.length === 0) return this.waitForMore();
    const startedAt = this.elapsed();
    await this.publishUntilTaken(events);
    // A backlog is shipped without a pause.
    if (this.reader.expected < this.options.journal.tail.durable.nextSequence) return;
    const restMs = (this.options.everyMs ?? EVERY_MS) - (this.elapsed() - startedAt);
    if (restMs > 0 && this.seekTo === undefined) await this.pause(restMs);
  }

  private async waitForMore(): Promise<void> {
    const { journal } = this.options;
    this.isIdle = this.reader.expected >= journal.tail.nextSequence;
    await this.pause(this.isIdle ? undefined : (this.options.lingerMs ?? LINGER_MS));
    this.isIdle = false;
    // Only what a sync has made safe may leave.
    if (!this.isClosed && journal.tail.nextSequence > journal.tail.durable.nextSequence) await journal.flush();
  }

  private async publishUntilTaken(events: SequencedUsageEvent[]): Promise<void> {
    for (this.failures = 0; !this.isClosed;) {
      try {
        // Closing does not wait for a bus that is away: what it did not confirm is published by the next process.
        if ((await Promise.race([this.options.publish(events), this.stopped])) === 'stopped') return;
        break;
      } catch (error) {
        this.failures += 1;
        const { writerId } = this.options.journal;
        this.options.log?.warn(
          { error, writerId, failures: this.failures, events: events.length },
          'usage events could not be published; they wait in the journal',
        );
        await this.pause(Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(this.failures - 1, 10)));
      }
    }
    if (this.failures > 0 && this.isClosed) return;
    this.failures = 0;
    this.publishedBelow = Math.max(this.publishedBelow, this.reader.expected);
    this.reportWaiting();
  }

  /** Waits for the time, or without one until there is something to do. Closing always ends it. */
  private pause(ms: number | undefined): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : this.timers.setTimeout(() => this.wakeNow(), ms);
      this.wake = () => {
        this.timers.clearTimeout(timer);
        resolve();
      };
    });
  }

  private wakeNow(): void {
    this.timers.clearTimeout(this.lingerTimer);
    this.lingerTimer = undefined;
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }

  private schedulePoll(): void {
    if (this.isClosed) return;
    this.pollTimer = this.timers
      .setTimeout(() => {
        this.polling = this.poll().finally(() => this.schedulePoll());
      }, this.options.pollMs ?? POLL_MS)
      .unref();
  }

  private async poll(): Promise<void> {
    await this.readWatermark();
    if (this.watermark !== undefined && !this.isClosed) {
      await this.options.journal.tail.trim(this.watermark).catch((error: unknown) => {
        this.options.log?.warn({ error, writerId: this.options.journal.writerId }, 'the usage journal could not be trimmed');
      });
    }
    this.watermarkLagMs = this.lag.measure(this.options.journal.tail.nextSequence, this.aggregatedBelow);
    this.resendWhatWasLost();
    this.reportWaiting();
  }

  private async readWatermark(): Promise<void> {
    const { journal, watermarks, log } = this.options;
    try {
      const read = await watermarks.read(journal.writerId);
      if (read === undefined || Number(read) <= (this.watermark ?? -1)) return;
      this.watermark = Number(read);
      this.movedAt = this.now();
      this.resendAfterMs = this.options.resendAfterMs ?? RESEND_AFTER_MS;
      journal.tail.skipTo(this.watermark);
      const ahead = this.watermark + 1;
      if (ahead > this.publishedBelow) {
        this.seekTo ??= ahead;
        this.publishedBelow = ahead;
        this.wakeNow();
      }
    } catch (error) {
      log?.warn({ error, writerId: journal.writerId }, 'the watermark of usage events could not be read');
    }
  }

  private resendWhatWasLost(): void {
    const next = this.aggregatedBelow;
    if (next >= this.publishedBelow) this.movedAt = this.now();
    else if (this.now() - this.movedAt >= this.resendAfterMs) {
      this.options.log?.warn(
        { writerId: this.options.journal.writerId, from: next },
        'published usage events are not aggregated yet; they are published again',
      );
      this.movedAt = this.now();
      this.resendAfterMs = Math.min(this.resendAfterMs * 2, RESEND_AFTER_MAX_MS);
      this.resendFrom(BigInt(next));
    }
  }

  private waitUntil(isDone: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isDone()) return Promise.resolve(true);
    this.wakeNow();
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.isClosed || isDone()) finish(isDone());
      };
      const finish = (answer: boolean): void => {
        this.timers.clearTimeout(timer);
        this.waiting.delete(check);
        resolve(answer);
      };
      const timer = this.timers.setTimeout(() => finish(isDone()), timeoutMs);
      this.waiting.add(check);
    });
  }

  private reportWaiting(): void {
    for (const check of [...this.waiting]) check();
  }
}
