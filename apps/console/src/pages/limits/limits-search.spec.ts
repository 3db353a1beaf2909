import { readLimitsSearch } from './limits-search';

describe('the search of the page of limits', () => {
  it('is what the address says', () => {
    const search = { search: 'crawler', scope: 'key', measure: 'usd', dialog: 'new', limit: 'an-id', key: 'a-key' };

    expect(readLimitsSearch(search)).toEqual(search);
  });

  it('leaves out what it cannot mean', () => {
    expect(readLimitsSearch({ search: '', scope: [], dialog: 'old', other: '1' })).toEqual({});
  });
});
