import { createBacklog, type LoadReading } from './regulate-backlog';

const LONG: LoadReading = { elapsedMs: 250, tickMs: 200, utilization: 1, heapUsed: 0.3 };
/** All of the process is used, and its turns are shorter than they may be. */
const FULL: LoadReading = { elapsedMs: 250, tickMs: 12, utilization: 1, heapUsed: 0.3 };
const SPARE: LoadReading = { ...FULL, tickMs: 3, utilization: 0.8 };

function regulate(readings: readonly LoadReading[]): number[] {
  const backlog = createBacklog({ fullMsMin: 1000, max: 3.9 });
  return readings.map((reading) => {
    backlog.look(reading);
    return backlog.value(0);
  });
}

describe('backlog', () => {
  it('begins after a second of long ticks in a row, whatever else the process is', () => {
    expect(regulate([LONG, LONG, LONG, SPARE, LONG, LONG, LONG, LONG]).map((value) => value > 0)).toEqual([
      ...[false, false, false, false],
      ...[false, false, false, true],
    ]);
    expect(regulate([FULL, FULL, FULL, FULL, FULL])).toEqual([0, 0, 0, 0, 0]);
  });

  const begun = [LONG, LONG, LONG, LONG, LONG];
  const step = (reading: LoadReading): number => {
    const values = regulate([...begun, reading]);
    return (values.at(-1) as number) - (values.at(-2) as number);
  };

  it('rises by how long turns are, and gives back while they are short, most where there is nothing to do', () => {
    expect(step(LONG)).toBeCloseTo(0.5);
    expect(step({ ...FULL, tickMs: 135 })).toBeCloseTo(0.225);
    expect(step({ ...FULL, tickMs: 90 })).toBeCloseTo(0);
    expect(step(FULL)).toBeCloseTo(-0.078);
    expect(step(SPARE)).toBeCloseTo(-0.127);
    expect(step({ ...SPARE, tickMs: 0, utilization: 0 })).toBeCloseTo(-0.29);
  });

  it('rises slowly, and falls quickly, where it is the most important work that is refused', () => {
    const values = regulate([...Array<LoadReading>(11).fill(LONG), FULL]);
    expect(values.slice(-5)).toEqual([2.5, 3, 3.125, 3.25, 3.055].map((value) => expect.closeTo(value) as number));
  });

  it('rises no further than for short work while others are held back by how many are under way', () => {
    const backlog = createBacklog({ fullMsMin: 1000, max: 3.9 });
    const look = (times: number, isHeld: boolean): number => {
      for (let count = 0; count < times; count += 1) backlog.look(LONG, isHeld);
      return backlog.value(0);
    };
    expect([look(50, true), look(2, false), look(10, true)]).toEqual([2, 3, 3]);
  });

  it('takes a reading of a whole second for four of a quarter', () => {
    expect(regulate([{ ...LONG, elapsedMs: 1000 }])).toEqual([2]);
    expect(regulate([{ ...LONG, elapsedMs: 900 }])).toEqual([0]);
  });

  it('does not wait for a second tick where one goes on and on', () => {
    expect(regulate([{ ...LONG, tickMs: 440 }])).toEqual([0]);
    expect(regulate([{ ...LONG, tickMs: 460 }])).toEqual([0.5]);
  });

  it('is raised by a heap that is nearly full', () => {
    expect(step({ ...SPARE, heapUsed: 0.9 })).toBeCloseTo(0.5);
  });

  it('never is more than its greatest value', () => {
    expect(regulate(Array<LoadReading>(50).fill(LONG)).at(-1)).toBe(3.9);
  });
});
