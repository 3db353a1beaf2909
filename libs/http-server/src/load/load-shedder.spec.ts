import { createMetricsRegistry, createServerMetrics } from '@weir/telemetry';
import { REQUEST_PRIORITIES } from '../requests/request-priority';
import { createLoadShedder, FEW_IN_FLIGHT, FEW_OF_CALLER, type LoadShedder } from './load-shedder';
import type { LoadReading } from './regulate-backlog';

const CALM: LoadReading = { elapsedMs: 250, tickMs: 1, utilization: 0.3, heapUsed: 0.3 };
const FULL: LoadReading = { elapsedMs: 250, tickMs: 200, utilization: 1, heapUsed: 0.3 };
/** Others keep the process from running: it is a second late with everything, and its ticks are as short as ever. */
const STARVED: LoadReading = { elapsedMs: 1000, tickMs: 8, utilization: 1, heapUsed: 0.3 };
const SECOND_MS = 1000;
const METRICS = createServerMetrics(createMetricsRegistry());

describe('D3: shedding load', () => {
  let reading: LoadReading;
  let shedder: LoadShedder;
  let chance: number;
  let tickMs: number;
  let timesRead: number;
  const open = (inFlightMax: number): LoadShedder =>
    createLoadShedder({
      inFlightMax,
      metrics: METRICS,
      random: () => chance,
      now: () => Date.now(),
      reader: {
        begin: () => undefined,
        read: () => {
          timesRead += 1;
          return reading;
        },
        readTickMs: () => tickMs,
      },
    });
  beforeEach(() => {
    jest.useFakeTimers();
    [reading, chance, tickMs, timesRead] = [CALM, 0.5, 0, 0];
    shedder = open(10_000);
  });
  afterEach(() => {
    shedder.close();
    jest.useRealTimers();
  });

  const enter = (count: number, caller?: string): void => {
    for (let entered = 0; entered < count; entered += 1) shedder.entered(caller);
  };
  const leave = (count: number, caller?: string): void => {
    for (let left = 0; left < count; left += 1) shedder.left(caller);
  };
  const admitted = (caller?: string) =>
    REQUEST_PRIORITIES.filter((priority) => {
      try {
        shedder.check(priority, caller);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: expect.any(Number) as number } });
        return false;
      }
    });
  /** Requests that are over at once, with so many under way at any time: a backlog is judged by the ticks that they take. */
  const passBriefly = (forMs: number): void => {
    for (let passed = 0; passed < forMs; passed += 250) {
      enter(1000);
      leave(1000);
      jest.advanceTimersByTime(250);
    }
  };

  it('refuses no one for one full moment, then the lowest priority first, and never all of the highest', () => {
    enter(FEW_IN_FLIGHT);
    reading = FULL;
    passBriefly(0.75 * SECOND_MS);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);

    const steps: string[] = [];
    const crowded: boolean[] = [shedder.isCrowded()];
    for (let second = 0; second < 4; second += 1) {
      passBriefly(0.5 * SECOND_MS);
      steps.push(admitted().join());
      crowded.push(shedder.isCrowded());
    }
    expect(steps).toEqual(['reading,unpaid,paid', 'unpaid,paid', 'paid', 'paid']);
    // Streams rest while more than free models are refused.
    expect(crowded).toEqual([false, false, true, true, true]);
    passBriefly(60 * SECOND_MS);
    expect(admitted()).toEqual([]);
    chance = 0.95;
    expect(admitted()).toEqual(['paid']);
  });

  it('refuses no one for being late, however many are under way and for however long', () => {
    enter(2000);
    reading = STARVED;
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });

  it('refuses no one while little is under way, however full it is', () => {
    enter(FEW_IN_FLIGHT - 1);
    reading = { ...FULL, heapUsed: 0.95 };
    passBriefly(60 * SECOND_MS);
    tickMs = 10_000;
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
    enter(1);
    expect(admitted()).toEqual([]);
  });

  it('takes a request of a caller with little under way for one more important, and never refuses it of one who pays', () => {
    enter(FEW_IN_FLIGHT);
    reading = FULL;
    passBriefly(60 * SECOND_MS);
    expect([admitted('other'), admitted()]).toEqual([['paid'], []]);
    enter(FEW_OF_CALLER - 1, 'caller');
    expect([admitted('caller'), admitted('other')]).toEqual([['paid'], ['paid']]);
    enter(1, 'caller');
    expect([admitted('caller'), admitted('other')]).toEqual([[], ['paid']]);
    leave(1, 'caller');
    expect(admitted('caller')).toEqual(['paid']);
  });

  it('serves everybody again within five seconds', () => {
    enter(FEW_IN_FLIGHT);
    reading = FULL;
    passBriefly(60 * SECOND_MS);
    expect(admitted()).toEqual([]);
    reading = CALM;
    passBriefly(5 * SECOND_MS);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });

  it('refuses more while one tick takes long, once there is a backlog, and looks at one that keeps its own reading waiting', () => {
    enter(FEW_IN_FLIGHT);
    tickMs = 740;
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
    reading = FULL;
    passBriefly(SECOND_MS);
    [tickMs, chance] = [0, 0.4];
    expect(admitted()).toEqual(['reading', 'unpaid', 'paid']);
    tickMs = 360;
    expect(admitted()).toEqual(['paid']);

    shedder.close();
    [shedder, tickMs, chance] = [open(10_000), 0, 0.5];
    enter(FEW_IN_FLIGHT);
    // One tick that goes on and on: no timer is called in it.
    jest.setSystemTime(Date.now() + 600);
    reading = { ...FULL, elapsedMs: 600, tickMs: 580 };
    expect(admitted()).toEqual(['reading', 'unpaid', 'paid']);
    // A pause in which the process did not run is none.
    shedder.close();
    shedder = open(10_000);
    enter(FEW_IN_FLIGHT);
    jest.setSystemTime(Date.now() + 600);
    reading = { ...STARVED, elapsedMs: 600 };
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });

  it('shows whether requests of a priority are refused at all', () => {
    enter(FEW_IN_FLIGHT);
    reading = FULL;
    passBriefly(1.25 * SECOND_MS);
    expect(REQUEST_PRIORITIES.map((priority) => shedder.isRefusing(priority))).toEqual([true, false, false, false]);
    passBriefly(0.25 * SECOND_MS);
    expect(REQUEST_PRIORITIES.map((priority) => shedder.isRefusing(priority))).toEqual([true, true, false, false]);
  });

  it('holds back work that lasts by how much of it is under way, and lets in who pays', () => {
    const isServed = (): string => {
      jest.advanceTimersByTime(0.25 * SECOND_MS);
      return admitted().join();
    };
    enter(600);
    reading = FULL;
    jest.advanceTimersByTime(SECOND_MS);
    tickMs = 5000;
    expect(admitted()).toEqual(['paid']);
    tickMs = 0;
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect(isServed()).toBe('');
    leave(560);
    reading = { ...FULL, tickMs: 90 };
    jest.advanceTimersByTime(0.25 * SECOND_MS);
    expect(isServed()).toBe('unpaid,paid');
    reading = CALM;
    jest.advanceTimersByTime(2 * SECOND_MS);
    expect(isServed()).toBe(REQUEST_PRIORITIES.join());
  });

  it('takes a full heap for a backlog', () => {
    enter(FEW_IN_FLIGHT);
    reading = { ...CALM, heapUsed: 0.9 };
    passBriefly(2 * SECOND_MS);
    expect(admitted()).toEqual(['unpaid', 'paid']);
  });

  it('refuses by priority as capacity runs out, and every request when there is none', () => {
    shedder = open(100);
    const run = (count: number): string => {
      enter(count);
      return admitted().join();
    };
    expect(run(80)).toBe('free,reading,unpaid,paid');
    expect(run(6)).toBe('reading,unpaid,paid');
    expect(run(5)).toBe('unpaid,paid');
    expect(run(5)).toBe('paid');
    expect(admitted('other')).toEqual(['unpaid', 'paid']);
    expect(run(4)).toBe('');
    expect(admitted('other')).toEqual([]);
    leave(20);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });

  it('sleeps while there is nothing to do, and looks again from the next request on', () => {
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect([timesRead, jest.getTimerCount()]).toEqual([0, 0]);
    enter(1);
    jest.advanceTimersByTime(10 * SECOND_MS);
    expect(timesRead).toBe(40);
    leave(1);
    jest.advanceTimersByTime(60 * SECOND_MS);
    expect([timesRead, jest.getTimerCount()]).toEqual([44, 0]);
    // Time in which it slept is no tick that goes on.
    reading = { ...FULL, elapsedMs: 60_000 };
    enter(FEW_IN_FLIGHT);
    expect(admitted()).toEqual([...REQUEST_PRIORITIES]);
  });
});
