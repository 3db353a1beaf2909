import { createMemoryHoldStore } from '@weir/limits';
import { createMetricsRegistry } from '@weir/telemetry';
import { waitUntil } from '@weir/testing';
import { createMemoryWatermarkStore, type WatermarkStore } from '@weir/usage';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAttempt, SILENT } from './__fixtures__/run-attempt';
import { openAppendedMetering } from './open-appended-metering';
import { openBookkeeping } from './open-bookkeeping';
import type { Metering } from './open-metering';

const JOURNAL = { bytesMax: 1_000_000, segmentBytesMax: 100_000 };
const SETTINGS = {
  USAGE_DURABILITY: 'process',
  JOURNAL_BYTES_MAX: JOURNAL.bytesMax,
  JOURNAL_SEGMENT_BYTES: JOURNAL.segmentBytesMax,
  NEWER_DATA_ALLOWED: false,
  JOURNAL_RESEND_AFTER_MS: 60_000,
  HOLD_TTL_MS: 60_000,
  TRACE_PROVIDERS: false,
} as const;

let directory: string;
let watermarks: WatermarkStore;
const opened: { close(): Promise<void> }[] = [];
const store = createMemoryHoldStore({ now: Date.now });
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-bookkeeping-'));
  watermarks = createMemoryWatermarkStore();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await rm(directory, { recursive: true, force: true });
});

function openAppended(): Metering {
  const metering = openAppendedMetering({
    ...{ directory, durability: 'process', ...JOURNAL, watermarks, log: SILENT, holds: { store, ttlMs: SETTINGS.HOLD_TTL_MS } },
    ...{ onLost: () => undefined, onHarm: () => undefined, onFailure: () => undefined },
  });
  opened.push(metering);
  return metering;
}

/** With a bus that is away. */
async function openBooks() {
  const registry = createMetricsRegistry();
  const publish = (): Promise<void> => Promise.reject(new Error('away'));
  const common = { settings: SETTINGS, registry, directory, watermarks, store, canBeLost: true, log: SILENT };
  const books = await openBookkeeping({ ...common, publish, onFailure: () => undefined });
  opened.push(books);
  const read = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(`weir_journal_${name}`)?.get())?.values[0]?.value;
  return { read };
}

describe('what is not aggregated of a journal that another process ships', () => {
  it('is reported by its writer from the moment it is written, until it is known to be aggregated', async () => {
    const metering = openAppended();
    expect(metering.read().unaggregated).toBe(0);

    runAttempt(metering);
    runAttempt(metering);

    expect(metering.read()).toMatchObject({ openAttempts: 0, unaggregated: 2 });
    const [writerId = ''] = readdirSync(directory);
    await watermarks.publish(new Map([[writerId, 1n]]));
    await waitUntil('it is known to be aggregated', () => metering.read().unaggregated === 0);
    expect(metering.read().unaggregated).toBe(0);
  });

  it('is reported once: by its writer as long as that lives, then by who ships it', async () => {
    const metering = openAppended();
    runAttempt(metering);
    const books = await openBooks();
    await waitUntil('the books have read it', async () => (await books.read('unpublished_events')) === 1);
    expect([await books.read('unpublished_events'), await books.read('unaggregated_events')]).toEqual([1, 0]);
    expect(metering.read()).toMatchObject({ unpublished: 0, unaggregated: 1 });

    await metering.close();

    await waitUntil('the books have adopted it', async () => (await books.read('orphans')) === 1);
    expect([await books.read('unpublished_events'), await books.read('unaggregated_events')]).toEqual([1, 1]);
  });
});
