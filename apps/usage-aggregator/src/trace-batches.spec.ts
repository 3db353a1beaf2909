import type { SequencedUsageEvent } from '@weir/contracts';
import type { Tracing } from '@weir/telemetry';
import type { AppliedBatch, UsageStore } from '@weir/usage';
import { traceBatches } from './trace-batches';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const RESULT: AppliedBatch = { applied: 2, duplicates: 1, deadLettered: 0, holds: [], watermarks: new Map() };

function event(payload: object | string, sequence = 0n): SequencedUsageEvent {
  return { writerId: 'w', epoch: 1, sequence, payload: typeof payload === 'string' ? payload : JSON.stringify(payload) };
}

function setUp(outcome: () => Promise<AppliedBatch>) {
  const spans: { started: unknown; ended: unknown }[] = [];
  const tracing: Tracing = {
    startSpan: (started) => ({
      traceparent: PARENT,
      note: () => undefined,
      rename: () => undefined,
      end: (attributes, failure) => void spans.push({ started, ended: { attributes, failure } }),
    }),
    close: () => Promise.resolve(),
  };
  const store: UsageStore = {
    applyBatch: outcome,
    readUsage: () => Promise.reject(new Error('not asked')),
    readPerformance: () => Promise.reject(new Error('not asked')),
  };
  return { spans, store, traced: traceBatches(store, tracing) };
}

const source = { topic: 'weir.usage.v1', partition: 3, nextOffset: 9n };

describe('tracing batches of usage', () => {
  it('is nothing at all where nothing is traced', () => {
    const { store } = setUp(() => Promise.resolve(RESULT));
    expect(traceBatches(store, undefined)).toBe(store);
  });

  it('spans a batch and links it to the attempts in it, each once, whatever callers call theirs', async () => {
    const { traced, spans } = setUp(() => Promise.resolve(RESULT));
    const events = [
      event({ traceparent: PARENT }),
      event({ traceparent: PARENT }),
      event({ extra: { traceparent: PARENT.replace('0af', '0bf') } }),
      event({}),
      event('"traceparent" not json'),
    ];

    expect(await traced.applyBatch(events, source)).toBe(RESULT);
    expect(spans).toEqual([
      {
        started: {
          name: 'process weir.usage.v1',
          kind: 'consumer',
          parent: undefined,
          links: [PARENT],
          attributes: {
            'messaging.system': 'kafka',
            'messaging.operation.type': 'process',
            'messaging.destination.name': 'weir.usage.v1',
            'messaging.destination.partition.id': '3',
            'messaging.batch.message_count': 5,
          },
        },
        ended: {
          attributes: { 'weir.usage.applied': 2, 'weir.usage.duplicates': 1, 'weir.usage.dead_lettered': 0 },
          failure: undefined,
        },
      },
    ]);
  });

  it('links no more than tracing keeps', async () => {
    const { traced, spans } = setUp(() => Promise.resolve(RESULT));
    const events = Array.from({ length: 300 }, (_, index) =>
      event({ traceparent: PARENT.replace(/^00-.{4}/, `00-${String(index).padStart(4, '0')}`) }),
    );
    await traced.applyBatch(events, null);
    expect((spans[0]?.started as { links: string[] }).links).toHaveLength(128);
  });

  it('marks a batch that was not committed, which comes again', async () => {
    const { traced, spans } = setUp(() => Promise.reject(new Error('no database')));
    await expect(traced.applyBatch([event({})], null)).rejects.toThrow('no database');
    expect(spans).toEqual([expect.objectContaining({ ended: { attributes: {}, failure: 'not_committed' } })]);
  });
});
