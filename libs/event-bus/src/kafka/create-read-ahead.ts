import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { BATCH_EVENTS_MAX, type BusLog, type UsageHandler } from '../usage-bus';
import { handleRecords, type Claim, type PartitionRecords } from './handle-records';

/** While one partition's batch is in Postgres, others are read: each side has a processor to itself. */
const PARTITIONS_AT_ONCE = 3;
/** Records read and not yet with the handler, of all partitions; beyond it only partitions that have none waiting may add theirs. */
const WAITING_MAX = 2 * BATCH_EVENTS_MAX;
/** The client knows how often it has to send heartbeats to the group; it only has to be asked often enough. */
const HEARTBEAT_MS = 1_000;

type ReadAheadOptions = { readonly handler: UsageHandler; readonly log: BusLog };

/**
 * Takes what the client fetched and gives it to the handler beside the next fetch, so that fetching and handling never wait
 * for each other. Of one partition one batch is handled at a time, in order; whatever gathered meanwhile becomes the next.
 */
export type ReadAhead = {
  /** Resolves when all records of the fetched batch wait their turn or are wanted no more. Rejects when the group has to be joined again. */
  take(payload: EachBatchPayload): Promise<void>;
  /** Forgets what waits: the client fetches again whatever is not committed. */
  forget(): void;
  /** Forgets what waits, and ends when nothing is with the handler. Nothing is taken any more. */
  close(): Promise<void>;
};

export function createReadAhead(options: ReadAheadOptions): ReadAhead {
  return new PartitionLanes(options);
}

/** One partition. */
type Lane = {
  waiting: KafkaMessage[];
  payload: EachBatchPayload;
  /** The first record that is with the handler. */
  atWork: KafkaMessage | undefined;
  /** Offset of the first record that was forgotten before it was committed, until something of the partition comes again. */
  forgottenFrom: bigint | undefined;
};

class PartitionLanes implements ReadAhead {
  private readonly lanes = new Map<string, Lane>();
  private readonly work = new Set<Promise<void>>();
  private waiting = 0;
  /** Counts what was forgotten: records that were fetched before are not to be mixed with the same ones fetched again. */
  private generation = 0;
  private isClosing = false;
  private readonly wakes = new Set<() => void>();

  constructor(private readonly options: ReadAheadOptions) {}

  async take(payload: EachBatchPayload): Promise<void> {
    const { isWanted } = this.describeClaim(payload);
    const lane = this.laneOf(payload);
    const { messages } = payload.batch;
    if (isOvertaking(lane, messages)) return;
    for (let start = 0; start < messages.length; start += BATCH_EVENTS_MAX) {
      while (isWanted() && !this.hasCapacity(lane)) {
        await this.nextChange();
        await payload.heartbeat();
      }
      if (!isWanted()) break;
      this.add(lane, payload, messages.slice(start, start + BATCH_EVENTS_MAX));
    }
    // A client that is about to be closed would only fetch the same again meanwhile.
    if (this.isClosing) await this.untilIdle();
  }

  forget(): void {
    this.generation += 1;
    for (const lane of this.lanes.values()) {
      const first = lane.atWork ?? lane.waiting[0];
      if (first !== undefined) lane.forgottenFrom = BigInt(first.offset);
    }
    this.dropWaiting();
  }

  close(): Promise<void> {
    this.isClosing = true;
    this.dropWaiting();
    return this.untilIdle();
  }

  private dropWaiting(): void {
    this.waiting = 0;
    for (const lane of this.lanes.values()) lane.waiting = [];
    this.wakeAll();
  }

  private describeClaim(payload: EachBatchPayload): Claim {
    const { generation } = this;
    const isOurs = (): boolean => generation === this.generation && payload.isRunning() && !payload.isStale();
    return { isOurs, isWanted: () => isOurs() && !this.isClosing };
  }

  private laneOf(payload: EachBatchPayload): Lane {
    const { topic, partition } = payload.batch;
    const key = `${topic} ${partition}`;
    const lane = this.lanes.get(key) ?? { waiting: [], payload, atWork: undefined, forgottenFrom: undefined };
    this.lanes.set(key, lane);
    return lane;
  }

  private hasCapacity({ waiting }: Lane): boolean {
    return waiting.length === 0 || (waiting.length < BATCH_EVENTS_MAX && this.waiting < WAITING_MAX);
  }

  /** The client goes on fetching after them; what is committed is only what was handled. */
  private add(lane: Lane, payload: EachBatchPayload, messages: readonly KafkaMessage[]): void {
    lane.payload = payload;
    lane.waiting.push(...messages);
    this.waiting += messages.length;
    const last = messages.at(-1);
    if (last !== undefined) payload.resolveOffset(last.offset);
    this.startWork();
  }

  private startWork(): void {
    for (const [key, lane] of this.lanes) {
      if (this.work.size >= PARTITIONS_AT_ONCE) return;
      if (lane.atWork !== undefined || lane.waiting.length === 0) continue;
      const work = this.workOn(lane);
      this.work.add(work);
      void work.then(() => {
        this.work.delete(work);
        // The one that was served goes to the end of the line.
        this.lanes.delete(key);
        this.lanes.set(key, lane);
        this.wakeAll();
        this.startWork();
      });
    }
  }

  private async workOn(lane: Lane): Promise<void> {
    const messages = lane.waiting.splice(0, BATCH_EVENTS_MAX);
    this.waiting -= messages.length;
    lane.atWork = messages[0];
    const records: PartitionRecords = { payload: lane.payload, messages, ...this.describeClaim(lane.payload) };
    await handleRecords(records, this.options);
    lane.atWork = undefined;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, HEARTBEAT_MS);
      this.wakes.add(wake);
    });
  }

  private wakeAll(): void {
    for (const wake of this.wakes) wake();
  }

  private async untilIdle(): Promise<void> {
    await Promise.all(this.work);
  }
}

/**
 * Of several brokers, one can make the client join the group anew while the answer of another is still under way: what it
 * holds was asked for after records that have been forgotten since. Taken, it would make the client go on behind them. Left,
 * it is fetched again in its turn; as it is where others handled those records meanwhile, once.
 */
function isOvertaking(lane: Lane, messages: readonly KafkaMessage[]): boolean {
  const { forgottenFrom } = lane;
  lane.forgottenFrom = undefined;
  const first = messages[0];
  return forgottenFrom !== undefined && first !== undefined && BigInt(first.offset) > forgottenFrom;
}
