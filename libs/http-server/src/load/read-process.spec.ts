import { openProcessReader } from './read-process';

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('reading how the process is', () => {
  it('takes a turn for late that is longer than the time between two readings, and leaves no sample', () => {
    const reader = openProcessReader(50);
    reader.read();
    block(250);
    const { elapsedMs, eventLoopDelayMs, tickMs, utilization, heapUsed } = reader.read();
    expect(elapsedMs).toBeGreaterThanOrEqual(250);
    expect(eventLoopDelayMs).toBeGreaterThanOrEqual(199);
    expect(tickMs).toBeGreaterThanOrEqual(199);
    expect(utilization).toBeGreaterThan(0.9);
    expect(heapUsed).toBeGreaterThan(0);
    reader.close();
  });

  it('shows how long the running tick has taken', async () => {
    const reader = openProcessReader(50);
    await new Promise((resolve) => setTimeout(resolve, 30));
    block(120);
    expect(reader.readTickMs()).toBeGreaterThanOrEqual(105);
    reader.close();
  });
});
