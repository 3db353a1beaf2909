import { createMemoryChangeNotices, createMemoryProcessReports, createMemoryReplyCache } from '@weir/access';
import { createMemoryHoldStore } from '@weir/limits';
import { createMemoryWatermarkStore } from '@weir/usage';
import { describeChangeNotices } from './change-notices.conformance';
import { describeHoldStore } from './hold-store.conformance';
import { runHoldModel } from './hold-model.conformance';
import { describeProcessReports } from './process-reports.conformance';
import { describeReplyCache } from './reply-cache.conformance';
import { describeWatermarkStore } from './watermark-store.conformance';

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

it('memory holds are never over a limit, whatever comes twice, late or never', async () => {
  await runHoldModel(() => createMemoryHoldStore({ now: Date.now }), { runs: 40, steps: 400, seed: 20_261_121 });
});
