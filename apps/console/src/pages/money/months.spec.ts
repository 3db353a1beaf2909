import { judgeMonth, listMonths, nameMonth, toExportUrl, type Reconciliation } from './months';
import { readMoneySearch } from './money-search';

const NOW = Date.parse('2026-01-31T23:59:00Z');
const report: Reconciliation = {
  month: '2025-12',
  as_of: '2026-01-31T23:59:00Z',
  places: [],
  differences: [],
  unexplained_usd: '0',
  is_complete: true,
};

describe('months', () => {
  it('go back over a year’s end', () => {
    expect(listMonths(NOW, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(nameMonth('2025-12')).toBe('December 2025');
  });

  it('are exported by the interface', () => {
    expect(toExportUrl('2025-12', 'focus')).toBe('/console/api/v1/manage/org/usage/export?period=2025-12&format=focus');
  });
});

describe('judgeMonth', () => {
  it.each([
    [{}, 'It adds up'],
    [{ month: '2026-01' }, 'Still running'],
    [{ is_complete: false }, 'Not complete'],
    [{ unexplained_usd: '0.000000000001', is_complete: false }, 'It does not add up'],
    [{ unexplained_usd: '-0.5' }, 'It does not add up'],
  ])('%p: %s', (part, title) => {
    expect(judgeMonth({ ...report, ...part }, NOW).title).toBe(title);
  });
});

describe('the address', () => {
  it('says tab and month', () => {
    expect(readMoneySearch({ tab: 'months', month: '2025-12' })).toEqual({ tab: 'months', month: '2025-12' });
    expect(readMoneySearch({ tab: 'x', month: '2025-13' })).toEqual({});
  });
});
