import { readPlaygroundSearch } from './playground-search';

describe('the address of the playground', () => {
  it('has the tab and up to three models, and nothing that was written', () => {
    const search = { tab: 'speech', model: ['a/1', 'a/2', 'a/2', 'a/3', 'a/4'], prompt: 'secret' };
    expect(readPlaygroundSearch(search)).toEqual({ tab: 'speech', model: ['a/1', 'a/2', 'a/3'] });
    expect(readPlaygroundSearch({ tab: 'chat', model: 'a/1' })).toEqual({ model: ['a/1'] });
    expect(readPlaygroundSearch({ tab: 'nothing' })).toEqual({});
  });
});
