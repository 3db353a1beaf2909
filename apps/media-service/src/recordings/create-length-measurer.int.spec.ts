import { measureSeconds } from '@weir/recordings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMp4, makeWebm } from './__fixtures__/overstated';
import { createLengthMeasurer, type MeasuringLimits } from './create-length-measurer';

/** As it runs in production. */
const ENTRY = join(__dirname, '..', '..', 'dist', 'recordings', 'measure-process.js');

function open(limits: Partial<MeasuringLimits> = {}) {
  const warnings: string[] = [];
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) };
  return { warnings, measure: createLengthMeasurer({ log, entry: ENTRY, limits }) };
}

const HONEST = makeMp4({ packets: 50 });

it('measures what the library measures, one recording after another', async () => {
  const { measure, warnings } = open();
  for (const packets of [50, 500, 5_000]) {
    const file = makeMp4({ packets });
    expect(await measure(file)).toBe(await measureSeconds(file));
    expect(await measure(file)).toBeCloseTo(packets * 0.02, 5);
  }
  expect(await measure(readFileSync(__filename))).toBeUndefined();
  expect(warnings).toEqual([]);
});

it('measures more recordings at once than there are processes', async () => {
  const { measure } = open({ processes: 2 });
  const lengths = await Promise.all([1, 2, 3, 4, 5, 6].map((packets) => measure(makeMp4({ packets }))));
  expect(lengths.map((seconds) => Math.round((seconds ?? 0) / 0.02))).toEqual([1, 2, 3, 4, 5, 6]);
});

it('survives a small MP4 that states four thousand million packets, and measures the next recording', async () => {
  const { measure, warnings } = open({ processes: 1, heapMb: 64 });
  const file = makeMp4({ packets: 0xffffffff, hasOffsets: true });
  expect(file.length).toBeLessThan(1_000);
  expect(await measure(file)).toBeUndefined();
  expect(warnings).toEqual(['a recording could not be measured; its length is estimated']);
  expect(await measure(HONEST)).toBeCloseTo(1, 5);
});

it('gives up a WebM that keeps its reader busy between two reads while the event loop goes on', async () => {
  const { measure, warnings } = open({ processes: 1, deadlineMs: 3_000 });
  let ticks = 0;
  const counting = setInterval(() => (ticks += 1), 10);
  expect(await measure(makeWebm({ lacedBlocks: 90_000 }))).toBeUndefined();
  clearInterval(counting);
  expect(ticks).toBeGreaterThan(20);
  expect(warnings).toHaveLength(1);
  expect(await measure(HONEST)).toBeCloseTo(1, 5);
});
