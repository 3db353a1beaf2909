import { LIMIT_WINDOWS, type LimitWindow } from '@weir/contracts';
import fc from 'fast-check';
import { limitScopeExpiry, nameLimitScope, parseLimitScope } from '../holds/limit-scope';
import { findCalendarWindow, isTimeZone } from './calendar-window';
import { findWindow } from './find-window';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
];
const CALENDAR = LIMIT_WINDOWS.flatMap(({ calendar }) => (calendar === null ? [] : [calendar]));
const DATED = LIMIT_WINDOWS.map(({ name }) => name).filter((name) => name !== 'total');

/** Around every change of the clocks of some years, and anywhere in them. */
const CHANGES = [
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-04-04T15:00Z',
  '2026-10-03T15:30Z',
]
  .concat(['2027-03-14T05:00Z', '2026-11-01T05:00Z', '2026-04-23T22:00Z', '2026-10-29T21:00Z', '2026-03-28T22:00Z', '2026-10-24T21:00Z'])
  .map((text) => Date.parse(text));
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2030, 0, 1) }),
  fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -90_000_000, max: 90_000_000 })).map(([at, ms]) => at + ms),
  fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -7_200_000, max: 7_200_000 })).map(([at, ms]) => at + ms),
);
const zone = fc.constantFrom(...ZONES);

describe('windows of the calendar', () => {
  it('have every instant in exactly one of them, wherever clocks change', () => {
    fc.assert(
      fc.property(instant, zone, fc.constantFrom(...CALENDAR), (atMs, timeZone, window) => {
        const period = findCalendarWindow(window, atMs, timeZone);
        expect(period.startMs <= atMs && atMs < period.endMs).toBe(true);
        for (const inside of [period.startMs, Math.floor((period.startMs + period.endMs) / 2), period.endMs - 1])
          expect(findCalendarWindow(window, inside, timeZone)).toEqual(period);
        expect(findCalendarWindow(window, period.endMs, timeZone).startMs).toBe(period.endMs);
        expect(findCalendarWindow(window, period.startMs - 1, timeZone).endMs).toBe(period.startMs);
      }),
      { numRuns: 400 },
    );
  });

  it('begin when the clocks of the zone say so', () => {
    const parts = { weekday: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    const clocks = new Map(ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts })]));
    const local = (atMs: number, timeZone: string) => clocks.get(timeZone)?.format(atMs);
    fc.assert(
      fc.property(
        instant,
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
        (atMs, timeZone) => {
          expect(local(findCalendarWindow('day', atMs, timeZone).startMs, timeZone)).toMatch(/00:00$/);
          expect(local(findCalendarWindow('week', atMs, timeZone).startMs, timeZone)).toMatch(/^mån.* 00:00$/);
          expect(local(findCalendarWindow('month', atMs, timeZone).startMs, timeZone)).toMatch(/\b01 00:00$/);
        },
      ),
    );
  });

  it.each([
    ['day', '2026-03-29T12:00Z', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['day', '2026-10-25T12:00Z', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['day', '2026-11-01T12:00Z', 'America/New_York', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['hour', '2026-11-01T05:30Z', 'America/New_York', '2026-11-01T05:00Z', '2026-11-01T06:00Z'],
    ['hour', '2026-11-01T06:30Z', 'America/New_York', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
    ['hour', '2026-04-04T15:10Z', 'Australia/Lord_Howe', '2026-04-04T15:00Z', '2026-04-04T15:30Z'],
    ['hour', '2026-10-03T15:20Z', 'Australia/Lord_Howe', '2026-10-03T14:30Z', '2026-10-03T15:30Z'],
    ['hour', '2026-10-03T15:40Z', 'Australia/Lord_Howe', '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
    ['hour', '2026-05-05T10:20Z', 'Asia/Kathmandu', '2026-05-05T10:15Z', '2026-05-05T11:15Z'],
    ['week', '2026-11-24T10:20Z', 'Asia/Kathmandu', '2026-11-22T18:15Z', '2026-11-29T18:15Z'],
    ['month', '2026-03-31T23:30Z', 'Europe/Berlin', '2026-03-31T22:00Z', '2026-04-30T22:00Z'],
    // Midnight is passed twice, or not at all.
    ['day', '2026-11-01T04:30Z', 'America/Havana', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['day', '2026-11-01T05:30Z', 'America/Havana', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['day', '2026-03-08T12:00Z', 'America/Havana', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
  ] as const)('%s of %s in %s', (window, at, timeZone, start, end) => {
    const { startMs, endMs } = findCalendarWindow(window, Date.parse(at), timeZone);
    expect([startMs, endMs].map((ms) => new Date(ms).toISOString())).toEqual([start, end].map((text) => new Date(text).toISOString()));
  });

  it('are those of UTC in a zone that this process does not know', () => {
    expect(isTimeZone('Europe/Atlantis')).toBe(false);
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    const atMs = Date.parse('2026-11-24T10:20Z');
    expect(findCalendarWindow('day', atMs, 'Europe/Atlantis')).toEqual(findCalendarWindow('day', atMs, 'UTC'));
  });
});

describe('the place of a window', () => {
  it('is the same object while the period lasts, and right whatever is asked between', () => {
    const atMs = Date.parse('2026-11-24T10:20Z');
    const first = findWindow('hour', atMs, 'Europe/Berlin');
    expect(findWindow('hour', atMs + 60_000, 'Europe/Berlin')).toBe(first);
    expect(findWindow('hour', atMs + 3_600_000, 'Europe/Berlin')?.startMs).toBe(first?.endMs);
    expect(findWindow('hour', atMs, 'Europe/Berlin')).toEqual(first);
    expect(findWindow('total', atMs, 'Europe/Berlin')).toBeNull();
  });

  it.each([
    ['24h', 24, 3_600_000],
    ['30d', 30, 86_400_000],
  ] as const)('%s counts its length and at most a step more, in %i steps before the current one', (window, count, stepMs) => {
    fc.assert(
      fc.property(instant, zone, (atMs, timeZone) => {
        const place = findWindow(window, atMs, timeZone);
        if (place === null) throw new Error('no place');
        const { startMs, endMs, pastStartsMs } = place;
        expect([endMs - startMs, startMs % stepMs, pastStartsMs.length]).toEqual([stepMs, 0, count]);
        expect(pastStartsMs).toEqual(Array.from({ length: count }, (_, index) => startMs - (index + 1) * stepMs));
      }),
    );
  });

  it('has a name of its own for each window, that is read back, and is not over before the window counts no more', () => {
    const limitId = '11111111-1111-4111-8111-111111111111';
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(instant, zone, fc.constantFrom<LimitWindow>(...DATED), (atMs, timeZone, window) => {
        const { startMs = 0, endMs = 0, pastStartsMs = [] } = findWindow(window, atMs, timeZone) ?? {};
        const parts = { limitId, measure: 'usd', partition: '-', window, startMs } as const;
        const name = nameLimitScope(parts);
        expect(parseLimitScope(name)).toEqual(parts);
        const period = `${startMs} ${window}`;
        expect(seen.get(name) ?? period).toBe(period);
        seen.set(name, period);
        const oldest = pastStartsMs.at(-1) ?? startMs;
        expect((limitScopeExpiry({ window, startMs: oldest }) ?? 0) >= endMs + 3_600_000).toBe(true);
      }),
    );
  });
});
