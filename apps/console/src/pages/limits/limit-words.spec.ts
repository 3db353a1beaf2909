import { filterLimits, findFullest, gradeShare, writeFigure, writeFilters, writeMeasure, writePartition, writeTarget } from './limit-words';
import type { Limit } from './limits-queries';

const NAMES = {
  keys: new Map([['k-1', 'crawler']]),
  groups: new Map([['g-1', 'Research']]),
  members: new Map([['m-1', 'ann@acme.example']]),
};
const AT = '2026-11-24T00:00:00.000Z';
const LIMIT: Limit = {
  ...{ id: 'l-1', name: 'a day of a key', version: 1, created_at: AT, updated_at: AT },
  ...{ scope: 'key', measure: 'usd', window: 'day', amount: '5', action: 'refuse' },
};

describe('a limit in words', () => {
  it.each([
    [{ scope: 'organization' }, 'The organization'],
    [{ scope: 'key' }, 'Each key'],
    [{ scope: 'key', api_key_id: 'k-1' }, 'Key “crawler”'],
    [{ scope: 'key', api_key_id: 'gone-long-ago' }, 'Key “gone-lon…”'],
    [{ scope: 'group', group_id: 'g-1' }, 'Group “Research”'],
    [{ scope: 'member', member_id: 'm-1' }, 'Member ann@acme.example'],
    [{ scope: 'end_user' }, 'Each end user'],
    [{ scope: 'end_user', end_user: 'u-1' }, 'End user “u-1”'],
    [{ scope: 'api_key_label', label: 'team' }, 'Keys, by each value of team'],
    [{ scope: 'group_label', label: 'team', value: 'research' }, 'Groups with team=research'],
  ] as const)('says whom %j is about', (target, words) => {
    expect(writeTarget(target, NAMES)).toBe(words);
  });

  it.each([
    ['usd', 'day', '1234.5', '$1,234.50', 'a day'],
    ['tokens', '30d', '1000000', '1,000,000', 'tokens in 30 days'],
    ['requests', 'total', '7', '7', 'requests in total'],
    ['concurrent_streams', undefined, '2', '2', 'streams at one time'],
  ] as const)('says how much of %s in %s', (measure, window, amount, figure, words) => {
    expect([writeFigure(measure, amount).shown, writeMeasure({ measure, ...(window === undefined ? {} : { window }) })]).toEqual([
      figure,
      words,
    ]);
  });

  it('keeps every digit of an amount that is shown shorter', () => {
    expect(writeFigure('usd', '5.000000000001')).toEqual({ shown: '$5.00', exact: '$5.000000000001' });
  });

  it('says what alone is counted', () => {
    expect(writeFilters({ models: ['openai/*'], providers: ['groq'], modalities: ['chat', 'image'] })).toBe(
      'openai/* · providers groq · chat, images',
    );
    expect(writeFilters({})).toBe('');
  });

  it('names whom the fullest figure is of', () => {
    const fill = { used: '1', window_start: null, window_end: null };
    const half = { ...fill, share: 0.5, of: null };
    const full = { ...fill, share: 1.2, of: { scope: 'key' as const, id: 'k-1', name: null } };

    expect(findFullest({ usage: [half, full] })).toBe(full);
    expect(findFullest({ usage: [] })).toBeUndefined();
    expect([writePartition(full.of, NAMES), writePartition({ scope: 'end_user', id: 'abcdefghijk', name: null }, NAMES)]).toEqual([
      'crawler',
      'abcdefgh…',
    ]);
    expect([0.79, 0.8, 1].map(gradeShare)).toEqual(['normal', 'warn', 'bad']);
  });

  it('is found by its name, whom it is about and what it counts', () => {
    const other: Limit = { ...LIMIT, id: 'l-2', name: 'team', scope: 'group', group_id: 'g-1', measure: 'tokens', models: ['openai/*'] };
    const find = (search: Parameters<typeof filterLimits>[1]): string[] => filterLimits([LIMIT, other], search, NAMES).map(({ id }) => id);

    expect([find({ search: 'EACH KEY' }), find({ search: 'research' }), find({ search: 'openai' })]).toEqual([['l-1'], ['l-2'], ['l-2']]);
    expect([find({ scope: 'group' }), find({ measure: 'usd' }), find({ scope: 'group', measure: 'usd' })]).toEqual([['l-2'], ['l-1'], []]);
  });
});
