import { setImmediate as nextTick } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { BATCH_EVENTS_MAX, type BusLog, type UsageBatch } from '../usage-bus';
import { createReadAhead, type ReadAhead } from './create-read-ahead';
import { encodeUsageRecord } from './usage-record';

const TOPIC = 't';

type Call = { readonly batch: UsageBatch; succeed(): void; fail(): void };

/** A client that fetched, a handler that ends on demand, and what the bus was called with. */
function setUp() {
  const calls: Call[] = [];
  const committed: string[] = [];
  const read = new Map<number, string>();
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() } satisfies BusLog;
  let refusal: Error | undefined;
  const readAhead: ReadAhead = createReadAhead({
    log,
    handler: (batch) =>
      new Promise((resolve, reject) => calls.push({ batch, succeed: resolve, fail: () => reject(new Error('the store is away')) })),
  });
  const describeFetch = (partition: number, first: number, count: number): EachBatchPayload => {
    const messages = Array.from({ length: count }, (_, at) => {
      const record = encodeUsageRecord({ writerId: `w${partition}`, epoch: 1, sequence: BigInt(first + at), payload: '{}' });
      return { ...record, offset: String(first + at) } as unknown as KafkaMessage;
    });
    const payload: Partial<EachBatchPayload> = {
      batch: { topic: TOPIC, partition, messages } as unknown as EachBatchPayload['batch'],
      isRunning: () => true,
      isStale: () => false,
      resolveOffset: (offset) => read.set(partition, offset),
      heartbeat: () => (refusal === undefined ? Promise.resolve() : Promise.reject(refusal)),
      commitOffsetsIfNecessary: (offsets) => {
        for (const { partitions } of offsets?.topics ?? []) committed.push(...partitions.map((one) => `${one.partition}:${one.offset}`));
        return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
      },
    };
    return payload as EachBatchPayload;
  };
  const take = (partition: number, first: number, count: number): Promise<void> => readAhead.take(describeFetch(partition, first, count));
  return { readAhead, describeFetch, take, calls, committed, read, log, refuse: (error: Error) => (refusal = error) };
}

function sequencesOf({ batch }: Call): string {
  const { events } = batch;
  return `${events[0]?.writerId} ${events[0]?.sequence}..${events.at(-1)?.sequence}`;
}

describe('reading ahead of the handler', () => {
  it('handles one batch of a partition at a time; what gathered meanwhile is the next', async () => {
    const { take, calls, committed, read } = setUp();
    await take(0, 0, 10);
    await take(0, 10, 5);
    await take(0, 15, 5);
    expect(calls.map(sequencesOf)).toEqual(['w0 0..9']);
    expect(read.get(0)).toBe('19');
    expect(committed).toEqual([]);
    calls[0]?.succeed();
    await nextTick();
    expect(calls.map(sequencesOf)).toEqual(['w0 0..9', 'w0 10..19']);
    expect(calls[1]?.batch.source).toEqual({ topic: TOPIC, partition: 0, nextOffset: 20n });
    expect(committed).toEqual(['0:10']);
  });

  it('handles three partitions side by side, and others in the order in which they wait', async () => {
    const { take, calls } = setUp();
    for (const partition of [0, 1, 2, 3, 4]) await take(partition, 0, 1);
    await take(0, 1, 1);
    expect(calls.map(sequencesOf)).toEqual(['w0 0..0', 'w1 0..0', 'w2 0..0']);
    calls[0]?.succeed();
    await nextTick();
    expect(calls.slice(3).map(sequencesOf)).toEqual(['w3 0..0']);
    calls[1]?.succeed();
    calls[2]?.succeed();
    await nextTick();
    expect(calls.slice(4).map(sequencesOf)).toEqual(['w4 0..0', 'w0 1..1']);
  });

  it('lets the client wait while a partition has a batch ahead, and gives no batch more than it may hold', async () => {
    const { take, calls, read } = setUp();
    let isTaken = false;
    const taking = take(0, 0, 3 * BATCH_EVENTS_MAX).then(() => (isTaken = true));
    await nextTick();
    expect({ isTaken, read: read.get(0) }).toEqual({ isTaken: false, read: String(2 * BATCH_EVENTS_MAX - 1) });
    calls[0]?.succeed();
    await taking;
    expect(read.get(0)).toBe(String(3 * BATCH_EVENTS_MAX - 1));
    expect(calls.map(({ batch }) => batch.events.length)).toEqual([BATCH_EVENTS_MAX, BATCH_EVENTS_MAX]);
  });

  it('fails with the error of the client when the group changes while it waits', async () => {
    const { take, calls, refuse } = setUp();
    const taking = take(0, 0, 3 * BATCH_EVENTS_MAX);
    await nextTick();
    refuse(new Error('the group is rebalancing'));
    calls[0]?.succeed();
    await expect(taking).rejects.toThrow('rebalancing');
  });

  it('after the group was joined anew adds nothing of an earlier fetch, commits nothing of it and gives it no second try', async () => {
    const { readAhead, take, calls, committed, read } = setUp();
    const taking = take(0, 0, 3 * BATCH_EVENTS_MAX);
    await take(1, 0, 1);
    readAhead.forget();
    await taking;
    expect(read.get(0)).toBe(String(2 * BATCH_EVENTS_MAX - 1));
    await take(0, 0, 7);
    calls[0]?.succeed();
    calls[1]?.fail();
    await nextTick();
    expect(calls.slice(2).map(sequencesOf)).toEqual(['w0 0..6']);
    calls[2]?.succeed();
    await nextTick();
    expect(committed).toEqual(['0:7']);
  });

  it('leaves what was fetched before the group was joined anew and comes after it: it would overtake what was forgotten', async () => {
    const { readAhead, take, calls, committed, read } = setUp();
    await take(0, 0, 10);
    await take(0, 10, 10);
    await take(1, 0, 10);
    readAhead.forget();
    calls[0]?.succeed();
    calls[1]?.succeed();
    await nextTick();
    readAhead.forget();
    await take(0, 20, 10);
    await take(1, 10, 10);
    expect({ calls: calls.length, read: [read.get(0), read.get(1)] }).toEqual({ calls: 2, read: ['19', '9'] });
    await take(0, 0, 10);
    // Another member has handled what was forgotten.
    await take(1, 10, 10);
    expect(calls.slice(2).map(sequencesOf)).toEqual(['w0 0..9', 'w1 10..19']);
    calls[2]?.succeed();
    calls[3]?.succeed();
    await nextTick();
    expect(committed).toEqual(['0:10', '1:20']);
  });

  it('gives a refused batch again before what waits behind it', async () => {
    const { take, calls } = setUp();
    await take(0, 0, 2);
    await take(0, 2, 2);
    calls[0]?.fail();
    while (calls.length < 2) await nextTick();
    expect(sequencesOf(calls[1] as Call)).toBe('w0 0..1');
    calls[1]?.succeed();
    await nextTick();
    expect(sequencesOf(calls[2] as Call)).toBe('w0 2..3');
  });

  it('goes on when a commit fails, and says so', async () => {
    const { take, calls, refuse, log } = setUp();
    await take(0, 0, 1);
    refuse(new Error('the broker is away'));
    calls[0]?.succeed();
    await nextTick();
    await take(0, 1, 1);
    expect(calls.map(sequencesOf)).toEqual(['w0 0..0', 'w0 1..1']);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  it('when it closes, commits what the handler has and forgets what waits', async () => {
    const { readAhead, take, calls, committed } = setUp();
    await take(0, 0, 1);
    await take(0, 1, 1);
    let isClosed = false;
    const closing = readAhead.close().then(() => (isClosed = true));
    const late = take(0, 2, 1);
    await nextTick();
    expect(isClosed).toBe(false);
    calls[0]?.succeed();
    await Promise.all([closing, late]);
    expect({ calls: calls.length, committed }).toEqual({ calls: 1, committed: ['0:1'] });
  });

  it('hands records that name no writer and sequence on as one event without a position for each run of them, in their order', async () => {
    const { readAhead, describeFetch, calls, committed, log } = setUp();
    const fetched = describeFetch(0, 0, 5);
    for (const at of [1, 2])
      Object.assign(fetched.batch.messages[at] ?? {}, { key: null, value: at === 1 ? null : Buffer.from('{"v":1}') });
    Object.assign(fetched.batch.messages[4] ?? {}, { headers: {}, value: null });
    await readAhead.take(fetched);
    const place = { topic: TOPIC, partition: 0 };
    const strays = [
      { ...place, first_offset: '1', last_offset: '2', records: 2, values: ['{"v":1}'] },
      { ...place, first_offset: '4', last_offset: '4', records: 1, values: [] },
    ];
    expect(calls[0]?.batch.events.map(({ writerId, payload }) => [writerId, JSON.parse(payload)])).toEqual([
      ['w0', {}],
      ['', { stray_records: strays[0] }],
      ['w0', {}],
      ['', { stray_records: strays[1] }],
    ]);
    expect(log.error).toHaveBeenCalledTimes(2);
    calls[0]?.succeed();
    await nextTick();
    expect(committed).toEqual(['0:5']);
  });
});
