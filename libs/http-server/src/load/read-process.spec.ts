import { openProcessReader, readCpuMs } from './read-process';

/** Keeps the event loop from turning. `spend`: for so much CPU time; else for so long, in which nothing is done. */
function block(ms: number, how: 'spend' | 'sleep'): void {
  if (how === 'sleep') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return;
  }
  const fromMs = readCpuMs();
  while (readCpuMs() - fromMs < ms);
}

const turn = () => new Promise(setImmediate);

describe('reading how the process is', () => {
  it('measures ticks in CPU time: one that is kept waiting has done nothing', async () => {
    const reader = openProcessReader();
    await turn();
    reader.begin();
    block(250, 'sleep');
    const slept = reader.read();
    expect(slept.elapsedMs).toBeGreaterThanOrEqual(249);
    expect(slept.tickMs).toBeLessThan(200);
    await turn();
    reader.begin();
    block(250, 'spend');
    const worked = reader.read();
    expect(worked.tickMs).toBeGreaterThanOrEqual(249);
    expect([worked.utilization, worked.heapUsed]).toEqual([expect.closeTo(1, 1), expect.closeTo(0.5, 0)]);
  });

  it('adds up what a tick takes over several readings, and shares it out among those that have ended', async () => {
    const reader = openProcessReader();
    await turn();
    reader.begin();
    block(60, 'spend');
    reader.read();
    block(60, 'spend');
    expect(reader.read().tickMs).toBeGreaterThanOrEqual(119);
    for (let count = 0; count < 20; count += 1) await turn();
    expect(reader.read().tickMs).toBeLessThan(60);
  });

  it('shows what the running tick has taken since it was first asked', async () => {
    const reader = openProcessReader();
    await turn();
    reader.readTickMs();
    block(60, 'spend');
    expect(reader.readTickMs()).toBeGreaterThanOrEqual(59);
    await turn();
    await turn();
    expect(reader.readTickMs()).toBeLessThan(59);
  });
});
