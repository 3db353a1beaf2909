import { addFilter, groupFilters, readFilters, readOverviewSearch, removeFilter } from './overview-search';

describe('the view of the overview in its address', () => {
  it('leaves out what it does not know', () => {
    expect(
      readOverviewSearch({ range: 'year', from: '2026-13-01', by: 'week', cut: 'name', filter: ['x=1', 'model_used', 'model_used='] }),
    ).toEqual({});
  });

  it('keeps what it knows', () => {
    const search = { range: 'custom', from: '2026-11-01', to: '2026-11-02', by: 'hour', measure: 'spend', cut: 'api_key_label.team' };

    expect(readOverviewSearch({ ...search, filter: 'user_id=a=b' })).toEqual({ ...search, filter: ['user_id=a=b'] });
  });

  it('adds filters once and takes them away', () => {
    const filter = { dimension: 'user_id', value: 'a=b' };
    const added = addFilter(addFilter({ cut: 'user_id' }, filter), filter);

    expect(readFilters(added)).toEqual([filter]);
    expect(removeFilter(added, filter)).toEqual({ cut: 'user_id' });
  });

  it('has alternatives of one dimension', () => {
    const filters = [
      { dimension: 'user_id', value: 'a' },
      { dimension: 'user_id', value: 'b' },
      { dimension: 'model_used', value: 'm' },
    ];

    expect(groupFilters(filters)).toEqual({ user_id: ['a', 'b'], model_used: ['m'] });
  });
});
