import { ALL_FORMATS, BufferSource, Input, type Source } from 'mediabunny';
import { makeCrowdedWebm, makeStreamedWebm } from './__fixtures__/crowded';
import { CONTAINERS, OPUS_20_MS, packRecording, type Container } from './__fixtures__/recordings';
import { measureSeconds } from './measure-seconds';
import { countReadsMax, createPacedSource } from './paced-source';

async function computeDuration(source: Source): Promise<number> {
  const input = new Input({ formats: ALL_FORMATS, source });
  try {
    return await input.computeDuration();
  } finally {
    input.dispose();
  }
}

/** How often the event loop comes round while something runs. */
async function countTicks(run: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  let isRunning = true;
  const count = (): void => {
    ticks += 1;
    if (isRunning) setImmediate(count);
  };
  await import('mediabunny');
  const running = run();
  setImmediate(count);
  await running;
  isRunning = false;
  return ticks;
}

/** 8 kbit/s, as few bytes as speech has: frames of 72 bytes. */
function makeMp3(frames: number): Buffer {
  const frame = Buffer.alloc(72);
  frame.write('ffe318c4', 'hex');
  return Buffer.alloc(frames * frame.length, frame);
}

const CROWDED = { tracks: 100, clusters: 1_000 };
const NAMES = (Object.keys(CONTAINERS) as Container[]).filter((name) => name !== 'flac');

describe('a file of many tracks and empty clusters', () => {
  it('could be measured by many reads of each byte', async () => {
    expect(await computeDuration(new BufferSource(makeCrowdedWebm(CROWDED)))).toBeGreaterThan(0);
  });

  it('is read no more often than any honest file of its size, and has no length', async () => {
    const bytes = makeCrowdedWebm(CROWDED);
    const source = createPacedSource(BufferSource, bytes);
    await expect(computeDuration(source)).rejects.toThrow('too many reads');
    expect(source.reads).toBeLessThanOrEqual(countReadsMax(bytes.length) + CROWDED.tracks);
    expect(await measureSeconds(bytes)).toBeUndefined();
  });

  it('leaves the event loop to others meanwhile', async () => {
    const bytes = makeCrowdedWebm({ tracks: 10, clusters: 10_000 });
    expect(await countTicks(() => measureSeconds(bytes))).toBeGreaterThan(10);
  });
});

/** Seconds of work, on a machine that does other things as well. */
const SLOW_MACHINE_MS = 60_000;

describe('an honest file', () => {
  it.each(NAMES)(
    'of small packets in %s is as long as without a bound',
    async (container) => {
      const bytes = await packRecording(container, { codec: 'opus', count: 20_000, seconds: 0.02, bytes: OPUS_20_MS.subarray(0, 1) });
      const source = createPacedSource(BufferSource, bytes);
      const seconds = await computeDuration(source);
      expect(seconds).toBe(await computeDuration(new BufferSource(bytes)));
      expect(seconds).toBeCloseTo(400, 0);
      expect(await measureSeconds(bytes)).toBe(seconds);
      // At the rate of the file, without what small ones get on top.
      expect(source.reads).toBeLessThan(Math.max(1_000, bytes.length / 6));
    },
    SLOW_MACHINE_MS,
  );

  it(
    'of many frames is measured while the event loop goes on',
    async () => {
      const bytes = makeMp3(120_000);
      let seconds: number | undefined;
      const ticks = await countTicks(async () => (seconds = await measureSeconds(bytes)));
      expect(seconds).toBe(await computeDuration(new BufferSource(bytes)));
      expect(seconds).toBeCloseTo(120_000 * 0.072, 0);
      expect(ticks).toBeGreaterThan(100);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'of the smallest packets, written as a stream, is measured',
    async () => {
      const bytes = makeStreamedWebm(150);
      const source = createPacedSource(BufferSource, bytes);
      expect(await computeDuration(source)).toBeCloseTo(150 * 30, 0);
      expect(source.reads).toBeLessThan(countReadsMax(bytes.length) / 1.5);
    },
    SLOW_MACHINE_MS,
  );
});
