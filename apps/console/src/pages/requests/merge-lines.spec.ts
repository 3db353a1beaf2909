import { writeCsv } from '../../format/csv';
import { addArrivals, mergeLines, NO_ARRIVALS, type RequestLine } from './merge-lines';
import { REQUEST_CSV } from './requests-csv';

const line = (id: string, second: number, more: Partial<RequestLine> = {}): RequestLine =>
  ({ id, admitted_at: `2026-11-23T12:00:0${second}.000Z`, tokens: {}, ...more }) as RequestLine;

describe('lines of requests', () => {
  it('stand newest first, each once, as they were counted last', () => {
    const merged = mergeLines([line('c', 2, { cost: '2' })], [line('d', 3), line('c', 2, { cost: '1' })], [line('a', 1), line('b', 1)]);
    expect(merged.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
    expect(merged[1]).toMatchObject({ cost: '2' });
  });

  it('are new once', () => {
    const first = addArrivals(NO_ARRIVALS, [line('a', 1)], 100);
    const second = addArrivals(first, [line('a', 1), line('b', 2)], 200);
    expect([...second.seenAt]).toEqual([
      ['a', 100],
      ['b', 200],
    ]);
    expect(addArrivals(second, [], 300).lines).toBe(second.lines);
  });

  it('are written as CSV that no spreadsheet runs', () => {
    const [head = '', row = ''] = writeCsv(REQUEST_CSV, [
      line('r', 1, { end_user: '=1+1, "x"', cost: '0.000000000001', stream: null }),
    ]).split('\r\n');
    const cells = head.split(',');
    expect(cells.indexOf('cost_usd')).toBeGreaterThan(0);
    expect(row).toContain(`"'=1+1, ""x"""`);
    expect(row).toContain(',0.000000000001,');
  });
});
