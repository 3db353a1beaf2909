import type { FailPoint, SequencedUsageEvent } from '@weir/contracts';
import { CompressionTypes, Partitioners, type Kafka, type Message, type Producer } from 'kafkajs';
import type { UsagePublisher } from '../usage-bus';
import { encodeUsageRecord, type UsageEnvelope } from './usage-record';

/** Below the broker's 1 MiB limit for a record batch even if nothing compresses. */
const SEND_CHARACTERS_MAX = 512 * 1024;
const SEND_TIMEOUT_MS = 15_000;
/** Few: the shipper retries itself, with a fresh producer, and logs it; retries inside the client are not logged. */
const SEND_RETRIES = 2;

type PublisherOptions = { readonly kafka: Kafka; readonly topic: string; readonly failPoint: FailPoint; readonly envelope: UsageEnvelope };

/**
 * Publishes with all acknowledgements through an idempotent producer, one request at a time, which is what keeps a
 * writer's order. After any failure the producer is given up: its own sequence numbers are no longer to be trusted.
 */
export function createKafkaPublisher(options: PublisherOptions): UsagePublisher {
  return new KafkaPublisher(options);
}

class KafkaPublisher implements UsagePublisher {
  private producer: Promise<Producer> | undefined;
  private tail: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly options: PublisherOptions) {}

  publish(events: readonly SequencedUsageEvent[]): Promise<void> {
    const done = this.tail.then(() => this.sendAll(events));
    // The next one may start when this one has ended, however it ended.
    this.tail = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.dropProducer();
  }

  private async sendAll(events: readonly SequencedUsageEvent[]): Promise<void> {
    for (const messages of splitSends(events, this.options.envelope)) {
      if (this.isClosed) throw new Error('the usage publisher is closed');
      try {
        const producer = await (this.producer ??= this.connect());
        this.options.failPoint('bus.send.before');
        await producer.send({
          topic: this.options.topic,
          messages,
          acks: -1,
          timeout: SEND_TIMEOUT_MS,
          compression: CompressionTypes.GZIP,
        });
        this.options.failPoint('bus.send.after_ack');
      } catch (error) {
        await this.dropProducer();
        throw error;
      }
    }
  }

  private async connect(): Promise<Producer> {
    const producer = this.options.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: SEND_RETRIES },
    });
    await producer.connect();
    return producer;
  }

  private async dropProducer(): Promise<void> {
    const dropped = this.producer;
    this.producer = undefined;
    // One that never connected or whose connection is gone has nothing left to say.
    await dropped?.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

function splitSends(events: readonly SequencedUsageEvent[], envelope: UsageEnvelope): Message[][] {
  const sends: Message[][] = [];
  let current: Message[] = [];
  let characters = 0;
  for (const event of events) {
    if (current.length > 0 && characters + event.payload.length > SEND_CHARACTERS_MAX) {
      sends.push(current);
      current = [];
      characters = 0;
    }
    current.push(encodeUsageRecord(event, envelope));
    characters += event.payload.length;
  }
  if (current.length > 0) sends.push(current);
  return sends;
}
