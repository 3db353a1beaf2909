import { createMemoryChangeNotices, createMemoryProcessReports, createMemoryReplyCache } from '@weir/access';
import { createMemoryHoldStore, type HoldStore } from '@weir/limits';
import { createMemoryWatermarkStore } from '@weir/usage';
import { describeChangeNotices } from './change-notices.conformance';
import { LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS } from '@weir/contracts';
import { describeHoldStore } from './hold-store.conformance';
import { HISTORIES_OF_ALL, openModelRules } from './hold-model-limits.conformance';
import { runHoldModel, type HoldModelRig } from './hold-model.conformance';
import { readModelRuns } from './hold-model-runs.conformance';
import { describeProcessReports } from './process-reports.conformance';
import { describeReplyCache } from './reply-cache.conformance';
import { describeWatermarkStore } from './watermark-store.conformance';

jest.setTimeout(process.env['HOLD_MODEL'] === undefined ? 60_000 : 1_800_000);

const watermarks = createMemoryWatermarkStore();
describeWatermarkStore('memory', () => watermarks);

const notices = createMemoryChangeNotices();
describeChangeNotices('memory', () => notices);

describeReplyCache('memory', (bytesMax) => {
  let nowMs = 0;
  const pass = (ms: number): Promise<void> => {
    nowMs += ms;
    return Promise.resolve();
  };
  return Promise.resolve({ cache: createMemoryReplyCache({ bytesMax, now: () => nowMs }), pass });
});

describeProcessReports('memory', () => {
  let nowMs = 0;
  const pass = (ms: number): Promise<void> => {
    nowMs += ms;
    return Promise.resolve();
  };
  return Promise.resolve({ reports: createMemoryProcessReports({ now: () => nowMs }), pass });
});

const holds = createMemoryHoldStore({ now: Date.now });
describeHoldStore('memory', () => ({ store: holds, other: holds }));

/** A history's own clock and store; `spoil` makes it wrong. */
function openModelRig(spoil: (store: HoldStore) => Partial<HoldStore> = () => ({})): HoldModelRig {
  let nowMs = Date.now();
  const open = (): HoldStore => {
    const right = createMemoryHoldStore({ now: () => nowMs });
    return { ...right, ...spoil(right) };
  };
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

it('memory holds are never over a limit, whatever comes twice, late or never', async () => {
  await runHoldModel(openModelRig, readModelRuns({ seeds: 8, operations: 250 }, process.env['HOLD_MODEL']));
});

it('the model has every measure in every window in a few histories, and all scopes in each', () => {
  const pairs = new Set<string>();
  for (let turn = 0; turn < HISTORIES_OF_ALL; turn += 1) {
    const rows = openModelRules(turn, Date.now(), (below) => below - 1).limits.flatMap(({ row }) => row ?? []);
    expect(new Set(rows.map(({ scope }) => scope))).toEqual(new Set(LIMIT_SCOPES.map(({ name }) => name)));
    for (const { measure, window } of rows) pairs.add(`${measure} ${window}`);
  }
  expect(pairs).toEqual(
    new Set(
      LIMIT_MEASURES.flatMap(({ name, isConcurrent }) =>
        isConcurrent ? [`${name} null`] : LIMIT_WINDOWS.map((window) => `${name} ${window.name}`),
      ),
    ),
  );
});

it('the model begins shortly before clocks are set forward or back', () => {
  const nowMs = Date.UTC(2026, 10, 25);
  const startsAtMs = (zone: number): number => openModelRules(0, nowMs, (below) => (below === 4 ? zone : 0)).startsAtMs;
  expect([0, 1, 2, 3].map((zone) => new Date(startsAtMs(zone)).toISOString())).toEqual([
    '2027-03-27T23:00:00.000Z',
    '2027-03-14T05:00:00.000Z',
    '2027-04-03T13:00:00.000Z',
    '2026-11-25T00:00:00.000Z',
  ]);
});

const MISTAKES: Record<string, (store: HoldStore) => Partial<HoldStore>> = {
  'forgets earlier steps of a window': (store) => ({
    reserve: (request) => store.reserve({ ...request, limits: request.limits.map(({ scope, max }) => ({ scope, max })) }),
  }),
  'holds less than it grants': (store) => ({
    reserve: async (request) => {
      const answer = await store.reserve({ ...request, amounts: request.leasts });
      return answer.kind === 'held' ? { ...answer, amounts: request.amounts } : answer;
    },
  }),
  'enters twice what is registered again': (store) => ({
    register: (hold) => store.register({ ...hold, holdId: `${hold.holdId} again` }),
  }),
  'counts twice what is renewed': (store) => ({ renew: (hold, ttlMs) => store.renew({ ...hold, holdId: `${hold.holdId} again` }, ttlMs) }),
  'gives back what a journal may still know': (store) => ({ reserve: (request) => store.reserve({ ...request, ttlMs: 0 }) }),
  'takes a report for one of the time at which it arrives': (store) => ({
    reportWriter: async (writerId) => store.reportWriter(writerId, await store.enrolWriter(writerId)),
  }),
  'gives nothing back that no one knows': () => ({ reportWriter: () => Promise.resolve() }),
  'takes an older base for a newer one': (store) => {
    let version = 0n;
    return {
      seed: (id, bases) =>
        store.seed(
          id,
          bases.map((base) => ({ ...base, base: 0n, version: base.version + (version += 1n) * 1_000_000n })),
        ),
    };
  },
};

it.each(Object.keys(MISTAKES))('the model finds a store that %s', async (mistake) => {
  await expect(
    runHoldModel(() => openModelRig(MISTAKES[mistake]), readModelRuns({ seeds: 8, operations: 250 }, undefined)),
  ).rejects.toThrow(/^seed/);
});
