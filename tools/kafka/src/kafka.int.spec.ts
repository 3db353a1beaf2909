import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@weir/contracts';
import { ConfigResourceTypes, Kafka, logLevel, Partitioners, type Admin } from 'kafkajs';
import { createAndAwaitTopics, createTopics } from './create-topics';
import { canRunKafka, startKafka, type RunningKafka } from './start-kafka';

const LONG_MS = 180_000;
const MESSAGES = 2_000;
const isAvailable = process.env['REQUIRE_REAL_PARTS'] === '1' || canRunKafka();
if (!isAvailable) process.stderr.write('SKIPPED: neither java nor a way to fetch Kafka is here, so the broker is NOT tested\n');
const describeWithBroker = isAvailable ? describe : describe.skip;

describeWithBroker('a broker started from Maven coordinates', () => {
  let directory: string;
  let broker: RunningKafka;

  const connect = (): Kafka =>
    new Kafka({
      brokers: [broker.brokers],
      logLevel: logLevel.NOTHING,
      retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 1_000 },
    });

  async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = connect().admin();
    await admin.connect();
    return work(admin).finally(() => admin.disconnect());
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'weir-kafka-'));
    broker = await startKafka({ directory });
  }, LONG_MS);
  afterAll(async () => {
    await broker.stop();
    await rm(directory, { recursive: true, force: true });
  }, LONG_MS);

  it(
    'creates the topics of the topic table once, with their partitions and retention',
    async () => {
      expect(await createTopics(broker.brokers)).toEqual([TOPICS.usage.name]);
      expect(await createTopics(broker.brokers)).toEqual([]);
      const { topics } = await withAdmin((admin) => admin.fetchTopicMetadata({ topics: [TOPICS.usage.name] }));
      expect(topics[0]?.partitions).toHaveLength(TOPICS.usage.partitions);
      const resource = { type: ConfigResourceTypes.TOPIC, name: TOPICS.usage.name };
      const { resources } = await withAdmin((admin) => admin.describeConfigs({ includeSynonyms: false, resources: [resource] }));
      const settings = Object.fromEntries((resources[0]?.configEntries ?? []).map((entry) => [entry.configName, entry.configValue]));
      expect(settings).toMatchObject({
        'retention.ms': String(35 * 24 * 3_600_000),
        'compression.type': 'producer',
        'min.insync.replicas': '1',
      });
    },
    LONG_MS,
  );

  it(
    'takes every record of an idempotent producer exactly once and in order, though it is killed with -9 meanwhile',
    async () => {
      const topic = 'killed';
      await withAdmin((admin) => createAndAwaitTopics(admin, [{ topic, numPartitions: 1 }]));
      const producer = connect().producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner: Partitioners.DefaultPartitioner });
      await producer.connect();
      const sending = (async () => {
        for (let number = 0; number < MESSAGES; number += 20) {
          const messages = Array.from({ length: 20 }, (_, index) => ({ key: 'k', value: String(number + index) }));
          await producer.send({ topic, messages, acks: -1 });
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { port } = broker;
      await broker.kill();
      broker = await startKafka({ directory, port });
      await sending;
      await producer.disconnect();

      const consumer = connect().consumer({ groupId: 'reader' });
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      const values: number[] = [];
      await new Promise<void>((resolve, reject) => {
        const eachMessage = ({ message }: { message: { value: Buffer | null } }): Promise<void> => {
          values.push(Number(message.value?.toString()));
          if (values.at(-1) === MESSAGES - 1) resolve();
          return Promise.resolve();
        };
        consumer.run({ eachMessage }).catch(reject);
      });
      await consumer.disconnect();
      expect(values).toEqual(Array.from({ length: MESSAGES }, (_, index) => index));
    },
    LONG_MS,
  );
});
