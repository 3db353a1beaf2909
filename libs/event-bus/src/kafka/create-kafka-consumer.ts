import { TOPICS } from '@weir/contracts';
import type { Consumer, Kafka } from 'kafkajs';
import { retryPauseMs } from '../retry-pause';
import type { BusLog, UsageConsumer, UsageHandler } from '../usage-bus';
import { createReadAhead, type ReadAhead } from './create-read-ahead';

/** A member silent for this long loses its partitions: it outlasts a pause of the process, yet is soon replaced. */
const SESSION_TIMEOUT_MS = 30_000;
/** How long members may take to finish their batch when the group changes: longer than any transaction of ours. */
const REBALANCE_TIMEOUT_MS = 60_000;
const HEARTBEAT_INTERVAL_MS = 3_000;
const FETCH_WAIT_MS = 250;
/** Compressed: two thousand events or more. Fewer make transactions small; many more would only wait in memory for Postgres. */
const FETCH_PARTITION_BYTES_MAX = 256 * 1024;
/** None that has records keeps another from adding its own. */
const PARTITIONS_AT_ONCE = TOPICS.usage.partitions;

type ConsumerOptions = {
  readonly kafka: Kafka;
  /** Where they are, for people. */
  readonly brokers: string;
  readonly topic: string;
  readonly groupId: string;
  readonly log: BusLog;
  readonly sessionTimeoutMs?: number;
};

/** Consumes with manual commits, and starts over with a fresh client after anything the client gives up on. */
export function createKafkaConsumer(options: ConsumerOptions): UsageConsumer {
  return new KafkaUsageConsumer(options);
}

class KafkaUsageConsumer implements UsageConsumer {
  private consumer: Consumer | undefined;
  private readAhead: ReadAhead | undefined;
  private failures = 0;
  private hasStarted = false;
  private isClosing = false;
  private wakeFromPause: (() => void) | undefined;

  constructor(private readonly options: ConsumerOptions) {}

  /** Resolves once the client consumes; a bus that is away is waited for. */
  async start(handler: UsageHandler): Promise<void> {
    while (!this.isClosing) {
      try {
        await this.startClient(handler);
        return;
      } catch (error) {
        await this.pauseAfter(error);
      }
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.wakeFromPause?.();
    // What is with the handler is still to be committed, which only a member of the group can.
    await this.readAhead?.close();
    await this.consumer?.disconnect();
  }

  private async startClient(handler: UsageHandler): Promise<void> {
    await this.consumer?.disconnect().catch(() => undefined);
    await this.readAhead?.close();
    const consumer = this.createClient();
    const readAhead = createReadAhead({ handler, log: this.options.log });
    this.consumer = consumer;
    this.readAhead = readAhead;
    consumer.on(consumer.events.CRASH, ({ payload }) => this.startOver(consumer, handler, payload.error));
    // From here on the client fetches what is not committed, of partitions that may be other ones.
    consumer.on(consumer.events.GROUP_JOIN, () => readAhead.forget());
    await consumer.connect();
    await consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async (payload) => {
        await readAhead.take(payload);
        this.failures = 0;
      },
    });
    this.hasStarted = true;
    if (this.isClosing) await consumer.disconnect();
  }

  private createClient(): Consumer {
    const sessionTimeout = this.options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
    return this.options.kafka.consumer({
      groupId: this.options.groupId,
      sessionTimeout,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      heartbeatInterval: Math.min(HEARTBEAT_INTERVAL_MS, Math.floor(sessionTimeout / 3)),
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: FETCH_PARTITION_BYTES_MAX,
      readUncommitted: true,
      allowAutoTopicCreation: false,
      // The client's own restart can fail unseen; ours cannot.
      retry: { retries: 5, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  private startOver(crashed: Consumer, handler: UsageHandler, error: unknown): void {
    if (this.isClosing || this.consumer !== crashed) return;
    this.consumer = undefined;
    void this.pauseAfter(error).then(() => this.start(handler));
  }

  private explain(error: unknown): string {
    const { type, message } = error as { readonly type?: unknown; readonly message?: unknown };
    if (type !== 'UNKNOWN_TOPIC_OR_PARTITION') return String(message);
    return `it has no topic ${this.options.topic}; node tools/kafka/dist/main.js topics makes it`;
  }

  private pauseAfter(error: unknown): Promise<void> {
    this.failures += 1;
    const pauseMs = retryPauseMs(this.failures);
    const { brokers, log } = this.options;
    const about = { error, failures: this.failures, pauseMs, waitingFor: 'kafka' };
    if (this.hasStarted) log.warn(about, `the usage consumer lost Kafka at ${brokers} and starts over`);
    else log.warn(about, `waiting for Kafka at ${brokers}: ${this.explain(error)}`);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.wakeFromPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
