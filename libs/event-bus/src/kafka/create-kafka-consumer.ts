import type { Consumer, Kafka } from 'kafkajs';
import { retryPauseMs } from '../retry-pause';
import type { BusLog, UsageConsumer, UsageHandler } from '../usage-bus';
import { handlePartitionBatch } from './handle-partition-batch';

/** A member silent for this long loses its partitions: it outlasts a pause of the process, yet is soon replaced. */
const SESSION_TIMEOUT_MS = 30_000;
/** How long members may take to finish their batch when the group changes: longer than any transaction of ours. */
const REBALANCE_TIMEOUT_MS = 60_000;
const HEARTBEAT_INTERVAL_MS = 3_000;
const FETCH_WAIT_MS = 250;
/** While one partition's batch is in Postgres, others are read: each side has a processor to itself. */
const PARTITIONS_AT_ONCE = 3;

type ConsumerOptions = {
  readonly kafka: Kafka;
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
  private failures = 0;
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
    await this.consumer?.disconnect();
  }

  private async startClient(handler: UsageHandler): Promise<void> {
    await this.consumer?.disconnect().catch(() => undefined);
    const consumer = this.createClient();
    this.consumer = consumer;
    consumer.on(consumer.events.CRASH, ({ payload }) => this.startOver(consumer, handler, payload.error));
    const context = { handler, log: this.options.log, isClosing: () => this.isClosing };
    await consumer.connect();
    await consumer.subscribe({ topic: this.options.topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async (payload) => {
        await handlePartitionBatch(payload, context);
        this.failures = 0;
      },
    });
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

  private pauseAfter(error: unknown): Promise<void> {
    this.failures += 1;
    const pauseMs = retryPauseMs(this.failures);
    this.options.log.warn({ error, failures: this.failures, pauseMs }, 'the usage consumer lost the bus and starts over');
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.wakeFromPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
