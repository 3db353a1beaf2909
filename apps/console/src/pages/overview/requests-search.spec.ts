import { findRequestsSearch } from './requests-search';

const RANGE = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-11-02T00:00:00Z') };
const BOUNDS = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' };

describe('the way from a figure to its requests', () => {
  it('has the range and the filters, in the words of that list', () => {
    const filters = [
      { dimension: 'model_used', value: 'a/b' },
      { dimension: 'user_id', value: 'alice' },
      { dimension: 'user_id', value: 'bob' },
      { dimension: 'api_key_label.team', value: 'x=y' },
    ];

    expect(findRequestsSearch(RANGE, filters)).toEqual({ ...BOUNDS, model: ['a/b'], end_user: ['alice', 'bob'], label: ['team=x=y'] });
  });

  it('is none where the list would show something else', () => {
    expect(findRequestsSearch(RANGE, [{ dimension: 'origin_title', value: 'a' }])).toBeUndefined();
    expect(findRequestsSearch(RANGE, [{ dimension: 'user_id', value: 'Unknown' }])).toBeUndefined();
  });
});
