import { randomUUID } from 'node:crypto';
import type { SequencedUsageEvent } from '@weir/contracts';
import { BATCH_EVENTS_MAX, type UsageBatch, type UsageBus } from './usage-bus';

const TIMEOUT_MS = 60_000;

/** What every usage bus promises. Call it inside a spec; `create` returns a bus of its own for each guarantee. */
export function describeUsageBus(name: string, create: () => Promise<UsageBus>): void {
  describe(name, () => {
    let bus: UsageBus;
    beforeEach(async () => {
      bus = await create();
    }, TIMEOUT_MS);
    afterEach(async () => {
      await bus.consumer.close();
      await bus.publisher.close();
    }, TIMEOUT_MS);

    it(
      'delivers every field of an event unchanged, readable or not',
      async () => {
        const sent: SequencedUsageEvent[] = [
          { writerId: randomUUID(), epoch: 7, sequence: 2n ** 53n + 1n, payload: '{"v":1,"event_id":"r:1","text":"é \\u0000 🙂"}' },
          { writerId: randomUUID(), epoch: 0, sequence: 0n, payload: 'not json at all' },
        ];
        const received = collect(2);
        await bus.consumer.start(received.handle);
        await bus.publisher.publish(sent);
        await received.all;
        expect(received.events).toHaveLength(2);
        expect(received.events).toEqual(expect.arrayContaining(sent));
      },
      TIMEOUT_MS,
    );

    it(
      'keeps the order of each writer over more events than one batch holds',
      async () => {
        const writers = [randomUUID(), randomUUID(), randomUUID()];
        const perWriter = Math.ceil(BATCH_EVENTS_MAX * 1.2);
        const received = collect(writers.length * perWriter);
        await bus.consumer.start(received.handle);
        await Promise.all(writers.map((writer) => bus.publisher.publish(makeEvents(writer, 0, perWriter))));
        await received.all;
        for (const writer of writers) {
          const sequences = received.events.filter((event) => event.writerId === writer).map((event) => Number(event.sequence));
          expect(sequences).toEqual(Array.from({ length: perWriter }, (_, index) => index));
        }
        expect(Math.max(...received.batches.map((batch) => batch.events.length))).toBeLessThanOrEqual(BATCH_EVENTS_MAX);
      },
      TIMEOUT_MS,
    );

    it(
      'gives a rejected batch again before anything later of the same writer',
      async () => {
        const writer = randomUUID();
        const received = collect(20);
        let rejections = 3;
        await bus.consumer.start((batch) => {
          rejections -= 1;
          return rejections >= 0 ? Promise.reject(new Error('the store is away')) : received.handle(batch);
        });
        await Promise.all([bus.publisher.publish(makeEvents(writer, 0, 10)), bus.publisher.publish(makeEvents(writer, 10, 10))]);
        await received.all;
        expect(rejections).toBeLessThan(0);
        expect(received.events.map((event) => Number(event.sequence))).toEqual(Array.from({ length: 20 }, (_, index) => index));
      },
      TIMEOUT_MS,
    );

    it(
      'keeps what is published before a consumer started',
      async () => {
        const writer = randomUUID();
        const published = bus.publisher.publish(makeEvents(writer, 0, 5));
        const received = collect(5);
        await bus.consumer.start(received.handle);
        await received.all;
        await published;
        expect(received.events.map((event) => event.sequence)).toEqual([0n, 1n, 2n, 3n, 4n]);
      },
      TIMEOUT_MS,
    );

    it(
      'refuses to publish once it is closed',
      async () => {
        await bus.publisher.close();
        await expect(bus.publisher.publish(makeEvents(randomUUID(), 0, 1))).rejects.toThrow('closed');
      },
      TIMEOUT_MS,
    );
  });
}

/** Events `from`, `from + 1`, … of one writer. */
export function makeEvents(writerId: string, from: number, count: number): SequencedUsageEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    writerId,
    epoch: 1,
    sequence: BigInt(from + index),
    payload: JSON.stringify({ v: 1, event_id: `${writerId}:${from + index}`, filler: 'x'.repeat(300) }),
  }));
}

/** A handler that remembers what it was given; `all` resolves at `count` events. */
export function collect(count: number): {
  readonly events: SequencedUsageEvent[];
  readonly batches: UsageBatch[];
  readonly all: Promise<void>;
  handle(batch: UsageBatch): Promise<void>;
} {
  const events: SequencedUsageEvent[] = [];
  const batches: UsageBatch[] = [];
  let finish = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handle = (batch: UsageBatch): Promise<void> => {
    batches.push(batch);
    events.push(...batch.events);
    if (events.length >= count) finish();
    return Promise.resolve();
  };
  return { events, batches, all, handle };
}
