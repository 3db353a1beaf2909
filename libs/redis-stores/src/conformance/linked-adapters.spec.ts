import { createMemoryChangeNotices, createMemoryProcessReports, createMemoryReplyCache } from '@weir/access';
import {
  createMemoryFreeModelDays,
  createMemoryHoldStore,
  createMemoryRateLimiter,
  type CountFreeSlots,
  type FreeModelDays,
  type HoldStore,
} from '@weir/limits';
import { createLink, openLinkedStores, serveStores, type SharedStores } from '@weir/process-links';
import { createMemoryWatermarkStore } from '@weir/usage';
import { duplexPair } from 'node:stream';
import { describeChangeNotices } from './change-notices.conformance';
import { describeFreeModelDays } from './free-model-days.conformance';
import { runHoldModel, type HoldModelRig } from './hold-model.conformance';
import { readModelRuns } from './hold-model-runs.conformance';
import { describeHoldStore } from './hold-store.conformance';
import { describeRateLimiter } from './rate-limiter.conformance';
import { describeProcessReports } from './process-reports.conformance';
import { describeReplyCache } from './reply-cache.conformance';
import { describeWatermarkStore } from './watermark-store.conformance';

jest.setTimeout(process.env['HOLD_MODEL'] === undefined ? 60_000 : 1_800_000);

const noSlots = (): Promise<number> => Promise.resolve(0);

function createStores(more: Partial<SharedStores> = {}): SharedStores {
  return {
    holds: createMemoryHoldStore({ now: Date.now }),
    rates: createMemoryRateLimiter({ now: () => performance.now() }),
    freeModelDays: createMemoryFreeModelDays({ countSlots: noSlots, keptMs: 60_000, now: () => performance.now() }),
    watermarks: createMemoryWatermarkStore(),
    changeNotices: createMemoryChangeNotices(),
    replyCache: createMemoryReplyCache({ bytesMax: 1_000, now: Date.now }),
    processReports: createMemoryProcessReports({ now: () => performance.now() }),
    ...more,
  };
}

/** The stores as another process has them. */
function openAgain(stores: SharedStores): ReturnType<typeof openLinkedStores> {
  const [near, far] = duplexPair();
  serveStores(createLink(far), stores);
  return openLinkedStores(createLink(near), { slotsKeptMs: stores.freeModelDays.keptMs, countSlots: noSlots });
}

const stores = createStores();
describeWatermarkStore('a link', () => openAgain(stores).watermarks);
describeChangeNotices('a link', () => openAgain(stores).changeNotices);
describeHoldStore('a link', () => ({ store: openAgain(stores).holds, other: openAgain(stores).holds }));
describeRateLimiter('a link', () => openAgain(stores).rates);

describeReplyCache('a link', (bytesMax) => {
  let nowMs = 0;
  const pass = (ms: number): Promise<void> => {
    nowMs += ms;
    return Promise.resolve();
  };
  const replyCache = createMemoryReplyCache({ bytesMax, now: () => nowMs });
  return Promise.resolve({ cache: openAgain(createStores({ replyCache })).replyCache, pass });
});

describeProcessReports('a link', () => {
  let nowMs = 0;
  const pass = (ms: number): Promise<void> => {
    nowMs += ms;
    return Promise.resolve();
  };
  const processReports = createMemoryProcessReports({ now: () => nowMs });
  return Promise.resolve({ reports: openAgain(createStores({ processReports })).processReports, pass });
});

/** The process that keeps the days has no database: what is asked for first is answered by the latest to open them. */
const kept = new Map<number, { days: FreeModelDays; countSlots: CountFreeSlots }>();
describeFreeModelDays('a link', ({ countSlots, keptMs }) => {
  let known = kept.get(keptMs);
  if (known === undefined) {
    const made = { days: noDays, countSlots };
    made.days = createMemoryFreeModelDays({
      countSlots: (organizationId, dayMs) => made.countSlots(organizationId, dayMs),
      keptMs,
      now: () => performance.now(),
    });
    kept.set(keptMs, (known = made));
  }
  known.countSlots = countSlots;
  return openAgain(createStores({ freeModelDays: known.days })).freeModelDays;
});
const noDays = createStores().freeModelDays;

/** A history's own clock and store, which another process keeps. */
function openModelRig(): HoldModelRig {
  let nowMs = Date.now();
  const open = (): HoldStore => openAgain(createStores({ holds: createMemoryHoldStore({ now: () => nowMs }) })).holds;
  let store = open();
  return {
    store: () => store,
    now: () => nowMs,
    pass: (ms) => void (nowMs += ms),
    expire: () => Promise.resolve(void (nowMs += 2)),
    empty: () => Promise.resolve(void (store = open())),
    givesBackAtOnce: true,
  };
}

it('holds over a link are never over a limit, whatever comes twice, late or never', async () => {
  await runHoldModel(openModelRig, readModelRuns({ seeds: 3, operations: 250 }, process.env['HOLD_MODEL']));
});
