import { createMetricsRegistry, createServerMetrics } from '@weir/telemetry';
import { REQUEST_PRIORITIES } from '../requests/request-priority';
import { createLoadShedder, type LoadShedder } from './load-shedder';
import type { LoadReading } from './regulate-lateness';

const CALM: LoadReading = { elapsedMs: 250, eventLoopDelayMs: 12, tickMs: 1, utilization: 0.3, heapUsed: 0.3 };
const LATE: LoadReading = { elapsedMs: 250, eventLoopDelayMs: 220, tickMs: 200, utilization: 1, heapUsed: 0.3 };
const SECOND_MS = 1000;

describe('D3: shedding load', () => {
  let reading: LoadReading;
  let shedder: LoadShedder;
  let chance: number;
  let tickMs: number;
  beforeEach(() => {
    jest.useFakeTimers();
    [reading, chance, tickMs] = [CALM, 0.5, 0];
    shedder = createLoadShedder({
      inFlightMax: 100,
      eventLoopDelayMaxMs: 100,
      metrics: createServerMetrics(createMetricsRegistry()),
      random: () => chance,
      reader: { read: () => reading, readTickMs: () => tickMs, close: () => undefined },
    });
  });
  afterEach(() => {
    shedder.close();
    jest.useRealTimers();
  });

  const admitted = () =>
    REQUEST_PRIORITIES.filter((priority) => {
      try {
        shedder.check(priority);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: expect.any(Number) as number } });
        return false;
      }
    });

  it('refuses no one for one late moment, then the lowest priority first, and never all of the highest', () => {
    reading = LATE;
    jest.advanceTimersByTime(0.75 * SECOND_MS);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);

    const steps: string[] = [];
    const crowded: boolean[] = [shedder.isCrowded()];
    for (let second = 0; second < 4; second += 1) {
      jest.advanceTimersByTime(0.5 * SECOND_MS);
      steps.push(admitted().join());
      crowded.push(shedder.isCrowded());
    }
    expect(steps).toEqual(['reading,unpaid,paid', 'unpaid,paid', 'paid', 'paid']);
    // Streams rest while more than free models are refused.
    expect(crowded).toEqual([false, false, true, true, true]);
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect(admitted()).toEqual([]);
    chance = 0.95;
    expect(admitted()).toEqual(['paid']);
  });

  it('serves everybody again within five seconds', () => {
    reading = LATE;
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect(admitted()).toEqual([]);
    reading = CALM;
    jest.advanceTimersByTime(5 * SECOND_MS);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });

  it('refuses more while one turn takes long, and once it is late, sooner', () => {
    tickMs = 500;
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
    tickMs = 740;
    expect(admitted()).toEqual(['unpaid', 'paid']);
    reading = LATE;
    jest.advanceTimersByTime(SECOND_MS);
    [tickMs, chance] = [0, 0.4];
    expect(admitted()).toEqual(['reading', 'unpaid', 'paid']);
    tickMs = 360;
    expect(admitted()).toEqual(['paid']);
  });

  it('shows whether requests of a priority are refused at all', () => {
    reading = LATE;
    jest.advanceTimersByTime(1.25 * SECOND_MS);
    expect(REQUEST_PRIORITIES.map((priority) => shedder.isRefusing(priority))).toEqual([true, false, false, false]);
    jest.advanceTimersByTime(0.25 * SECOND_MS);
    expect(REQUEST_PRIORITIES.map((priority) => shedder.isRefusing(priority))).toEqual([true, true, false, false]);
  });

  it('holds back work that lasts by how much of it is under way, and lets in who pays', () => {
    const isServed = (): string => {
      jest.advanceTimersByTime(0.25 * SECOND_MS);
      return admitted().join();
    };
    for (let entered = 0; entered < 60; entered += 1) shedder.entered();
    reading = LATE;
    jest.advanceTimersByTime(SECOND_MS);
    tickMs = 5000;
    expect(admitted()).toEqual(['paid']);
    tickMs = 0;
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect(isServed()).toBe('');
    for (let left = 0; left < 55; left += 1) shedder.left();
    reading = { ...LATE, tickMs: 90 };
    jest.advanceTimersByTime(0.25 * SECOND_MS);
    expect(isServed()).toBe('unpaid,paid');
    reading = CALM;
    jest.advanceTimersByTime(2 * SECOND_MS);
    expect(isServed()).toBe(REQUEST_PRIORITIES.join());
  });

  it('takes a full heap for being late', () => {
    reading = { ...CALM, heapUsed: 0.9 };
    jest.advanceTimersByTime(2 * SECOND_MS);
    expect(admitted()).toEqual(['unpaid', 'paid']);
  });

  it('refuses by priority as capacity runs out, and every request when there is none', () => {
    const run = (count: number): string => {
      for (let entered = 0; entered < count; entered += 1) shedder.entered();
      return admitted().join();
    };
    expect(run(80)).toBe('free,reading,unpaid,paid');
    expect(run(6)).toBe('reading,unpaid,paid');
    expect(run(5)).toBe('unpaid,paid');
    expect(run(5)).toBe('paid');
    expect(run(4)).toBe('');
    for (let left = 0; left < 20; left += 1) shedder.left();
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });
});
