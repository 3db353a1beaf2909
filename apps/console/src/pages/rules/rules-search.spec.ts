import { readRulesSearch } from './rules-search';

it('reads a view of the rules from an address, and leaves out what is none', () => {
  expect(readRulesSearch({ tab: 'plan', model: 'policy/a', key: 'k', endpoint: 'messages' })).toEqual({
    tab: 'plan',
    model: 'policy/a',
    key: 'k',
    endpoint: 'messages',
  });
  expect(readRulesSearch({ tab: 'other', endpoint: 'count-tokens', model: '' })).toEqual({});
});
