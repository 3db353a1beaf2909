import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canRunKafka, createAndAwaitTopics, startKafka, type RunningKafka } from '@weir/kafka';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { collect, describeUsageBus, makeEvents } from '../usage-bus.conformance';
import type { BusLog, UsageBus } from '../usage-bus';
import { createKafkaUsageBus } from './create-kafka-usage-bus';
import { PLAIN_BYTES_MAX } from './gzip-codec';

const START_MS = 180_000;
const TEST_MS = 90_000;
const SILENT: BusLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
const directory = mkdtemp(join(tmpdir(), 'weir-kafka-'));
let kafka: RunningKafka | undefined;

const isRequired = process.env['REQUIRE_REAL_PARTS'] === '1';
const isAvailable = isRequired || canRunKafka();
if (!isAvailable) process.stderr.write('SKIPPED: neither java nor a way to fetch Kafka is here, so the Kafka bus is NOT tested\n');
const describeWithBroker = isAvailable ? describe : describe.skip;

beforeAll(async () => {
  if (isAvailable) kafka = await startKafka({ directory: await directory });
}, START_MS);

afterAll(async () => {
  await kafka?.stop();
  await rm(await directory, { recursive: true, force: true });
}, START_MS);

function getKafka(): RunningKafka {
  if (kafka === undefined) throw new Error('no broker runs');
  return kafka;
}

async function createTopic(partitions: number): Promise<string> {
  const topic = `usage-${randomUUID()}`;
  const admin = new Kafka({ brokers: [getKafka().brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await createAndAwaitTopics(admin, [{ topic, numPartitions: partitions }]);
  await admin.disconnect();
  return topic;
}

function createBus(topic: string): UsageBus {
  const options = { clientId: 'spec', log: SILENT, topic, groupId: `group-${topic}`, sessionTimeoutMs: 6_000 };
  return createKafkaUsageBus({ ...options, brokers: getKafka().brokers });
}

async function closeAll(...buses: UsageBus[]): Promise<void> {
  await Promise.all(buses.flatMap((bus) => [bus.consumer.close(), bus.publisher.close()]));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}

describeWithBroker('the Kafka usage bus with a group', () => {
  it(
    'goes on after the last committed batch when a consumer is replaced',
    async () => {
      const topic = await createTopic(1);
      const writer = randomUUID();
      const [first, second] = [createBus(topic), createBus(topic)];
      const before = collect(10);
      await first.consumer.start(before.handle);
      await first.publisher.publish(makeEvents(writer, 0, 10));
      await before.all;
      await first.consumer.close();
      await second.publisher.publish(makeEvents(writer, 10, 10));
      const after = collect(10);
      await second.consumer.start(after.handle);
      await after.all;
      expect(after.events.map((event) => Number(event.sequence))).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
      expect(after.batches[0]?.source).toEqual({ topic, partition: 0, nextOffset: 20n });
      await closeAll(first, second);
    },
    TEST_MS,
  );

  it(
    'gives an uncommitted batch to the next consumer',
    async () => {
      const topic = await createTopic(1);
      const [first, second] = [createBus(topic), createBus(topic)];
      let wasTried = false;
      await first.consumer.start(() => {
        wasTried = true;
        return Promise.reject(new Error('the store is away'));
      });
      await first.publisher.publish(makeEvents(randomUUID(), 0, 5));
      await until(() => wasTried);
      await first.consumer.close();
      const received = collect(5);
      await second.consumer.start(received.handle);
      await received.all;
      expect(received.events).toHaveLength(5);
      await closeAll(first, second);
    },
    TEST_MS,
  );

  it(
    'shares partitions between two consumers and loses nothing while the group changes',
    async () => {
      const topic = await createTopic(8);
      const [first, second] = [createBus(topic), createBus(topic)];
      const writers = Array.from({ length: 16 }, () => randomUUID());
      const seen = new Map<string, number>();
      const handledBy: [number, number] = [0, 0];
      const handler = (index: 0 | 1) => (batch: { events: readonly { writerId: string; sequence: bigint }[] }) => {
        handledBy[index] += batch.events.length;
        for (const { writerId, sequence } of batch.events) seen.set(`${writerId}:${sequence}`, 1);
        return Promise.resolve();
      };
      await first.consumer.start(handler(0));
      const publishRound = (round: number): Promise<unknown> =>
        Promise.all(writers.map((writer) => first.publisher.publish(makeEvents(writer, round * 20, 20))));
      await publishRound(0);
      await until(() => seen.size === 16 * 20);
      const joined = second.consumer.start(handler(1));
      for (let round = 1; round <= 5; round += 1) await publishRound(round);
      await joined;
      await until(() => seen.size === 16 * 120);
      for (let round = 6; handledBy[1] === 0; round += 1) await publishRound(round);
      await first.consumer.close();
      const total = seen.size;
      await second.publisher.publish(makeEvents(randomUUID(), 0, 50));
      await until(() => seen.size >= total + 50);
      expect(handledBy[0]).toBeGreaterThan(0);
      expect(handledBy[1]).toBeGreaterThan(0);
      await closeAll(first, second);
    },
    TEST_MS,
  );

  it(
    'keeps a partition while one handler call takes longer than the session',
    async () => {
      const topic = await createTopic(1);
      const bus = createBus(topic);
      const received = collect(6);
      let calls = 0;
      await bus.consumer.start(async (batch) => {
        calls += 1;
        if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 9_000));
        await received.handle(batch);
      });
      await bus.publisher.publish(makeEvents(randomUUID(), 0, 5));
      await until(() => received.events.length === 5);
      await bus.publisher.publish(makeEvents(randomUUID(), 5, 1));
      await received.all;
      expect(calls).toBe(2);
      await closeAll(bus);
    },
    TEST_MS,
  );

  it(
    'goes on behind a batch that unpacks to too much, and hands on where it was',
    async () => {
      const topic = await createTopic(1);
      const bus = createBus(topic);
      const producer = new Kafka({ brokers: [getKafka().brokers], logLevel: logLevel.NOTHING }).producer();
      await producer.connect();
      const writer = randomUUID();
      await bus.publisher.publish(makeEvents(writer, 0, 3));
      const messages = [{ value: 'small' }, { key: writer, headers: { seq: '3', epoch: '1' }, value: Buffer.alloc(2 * PLAIN_BYTES_MAX) }];
      await producer.send({ topic, messages, compression: CompressionTypes.GZIP });
      await producer.disconnect();
      await bus.publisher.publish(makeEvents(writer, 4, 2));
      const received = collect(6);
      await bus.consumer.start(received.handle);
      await received.all;
      expect(received.events.map(({ writerId, sequence }) => [writerId, Number(sequence)])).toEqual([
        ...[0, 1, 2].map((sequence) => [writer, sequence]),
        ['', 0],
        ...[4, 5].map((sequence) => [writer, sequence]),
      ]);
      expect(JSON.parse(received.events[3]?.payload ?? '')).toEqual({
        stray_records: { topic, partition: 0, first_offset: '3', last_offset: '4', records: 2, values: [] },
      });
      await closeAll(bus);
    },
    TEST_MS,
  );

  it(
    'loses nothing when the broker is killed and comes back',
    async () => {
      const topic = await createTopic(2);
      const bus = createBus(topic);
      const writer = randomUUID();
      const seen = new Set<number>();
      await bus.consumer.start((batch) => {
        for (const event of batch.events) seen.add(Number(event.sequence));
        return Promise.resolve();
      });
      const publishUntilTaken = async (from: number): Promise<void> => {
        for (;;) {
          try {
            return await bus.publisher.publish(makeEvents(writer, from, 10));
          } catch {
            await new Promise((resolve) => setTimeout(resolve, 200));
          }
        }
      };
      const broker = getKafka();
      const publishing = (async () => {
        for (let from = 0; from < 1_000; from += 10) await publishUntilTaken(from);
      })();
      await until(() => seen.size >= 100);
      await broker.kill();
      kafka = await startKafka({ directory: await directory, port: broker.port });
      await publishing;
      await until(() => seen.size === 1_000);
      expect(Math.max(...seen)).toBe(999);
      await closeAll(bus);
    },
    TEST_MS,
  );
});

describeWithBroker('with a real broker', () => {
  describeUsageBus('the Kafka usage bus', async () => createBus(await createTopic(4)));
});
