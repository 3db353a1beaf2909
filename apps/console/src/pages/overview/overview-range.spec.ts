import { findRanges, listPeriods, type Range } from './overview-range';

const AT = new Date('2026-11-23T19:31:05Z');
const spell = ({ start, end }: Range): string => `${start.toISOString().slice(0, 16)}/${end.toISOString().slice(0, 16)}`;

describe('ranges of the overview', () => {
  it.each([
    [{ range: 'today' }, '2026-11-23T00:00/2026-11-23T20:00', '2026-11-22T00:00/2026-11-22T20:00', 'hour'],
    [{}, '2026-11-17T00:00/2026-11-23T20:00', '2026-11-10T00:00/2026-11-16T20:00', 'day'],
    [{ range: '30d' }, '2026-10-25T00:00/2026-11-23T20:00', '2026-09-25T00:00/2026-10-24T20:00', 'day'],
    [{ range: 'month' }, '2026-11-01T00:00/2026-11-23T20:00', '2026-10-01T00:00/2026-10-23T20:00', 'day'],
    [
      { range: 'custom', from: '2026-11-05', to: '2026-11-03' },
      '2026-11-03T00:00/2026-11-06T00:00',
      '2026-10-31T00:00/2026-11-03T00:00',
      'day',
    ],
    [
      { range: 'custom', from: '2020-01-01', to: '2026-11-03' },
      '2026-07-27T00:00/2026-11-04T00:00',
      '2026-04-18T00:00/2026-07-27T00:00',
      'day',
    ],
    [{ range: 'custom' }, '2026-11-17T00:00/2026-11-23T20:00', '2026-11-10T00:00/2026-11-16T20:00', 'day'],
  ] as const)('%j is %s after %s, by %s', (search, now, before, resolution) => {
    const ranges = findRanges(search, AT);

    expect([spell(ranges.now), spell(ranges.before), ranges.resolution]).toEqual([now, before, resolution]);
  });

  it('compares a long month with the whole of a shorter one before, never with itself', () => {
    expect(spell(findRanges({ range: 'month' }, new Date('2026-03-31T12:00:00Z')).before)).toBe('2026-02-01T00:00/2026-03-01T00:00');
  });

  it('has no hours of many days', () => {
    expect(findRanges({ range: '30d', by: 'hour' }, AT).resolution).toBe('day');
    expect(findRanges({ range: '7d', by: 'hour' }, AT).resolution).toBe('hour');
  });

  it('lists periods without usage too', () => {
    const { now } = findRanges({}, AT);

    expect(listPeriods(now, 'day')).toHaveLength(7);
    expect(listPeriods(now, 'hour')).toHaveLength(6 * 24 + 20);
    expect(
      listPeriods({ start: new Date('2026-10-25'), end: new Date('2027-01-01') }, 'month').map((at) => at.toISOString().slice(0, 7)),
    ).toEqual(['2026-10', '2026-11', '2026-12']);
  });
});
