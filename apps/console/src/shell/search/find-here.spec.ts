import { findModels, findPages, isRequestId, isSecret, moveChoice, pickBest, rank } from './find-here';

const PAGES = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/keys', label: 'Keys', icon: 'keys' },
] as const;

it('puts what is meant first', () => {
  expect(['team', 'team a', 'my team', 'steam', 'none'].map((name) => rank(name, 'Team'))).toEqual([0, 1, 2, 3, Infinity]);
  expect(pickBest(['steam', 'my team', 'team b', 'team', 'none'], 'team', (name) => name)).toEqual(['team', 'team b', 'my team', 'steam']);
  expect(
    pickBest(
      Array.from({ length: 20 }, (_, index) => `key ${index}`),
      'key',
      (name) => name,
    ),
  ).toHaveLength(6);
});

it('shows all pages before anything is typed', () => {
  expect(findPages(PAGES, '').map(({ text }) => text)).toEqual(['Overview', 'Keys']);
  expect(findPages(PAGES, 'ke')).toEqual([{ id: 'page /keys', icon: 'keys', text: 'Keys', place: { to: '/keys' } }]);
});

it('finds models by the words of their names in any order', () => {
  const ids = ['sandbox/chat', 'sandbox/chat-large', 'policy/chat'];
  expect(findModels(ids, 'large sand').map(({ text }) => text)).toEqual(['sandbox/chat-large']);
  expect(findModels(ids, 'chat').map(({ icon }) => icon)).toEqual(['rules', 'models', 'models']);
});

it('knows the beginning of a request id when it sees one', () => {
  expect(['01a2', '01a20a62-79e4-7da7-9b7c-3fbb60ffd92c', '01a20a62-'].map(isRequestId)).toEqual([true, true, true]);
  expect(['abc', 'face it', 'team', '01a20a62x'].map(isRequestId)).toEqual([false, false, false, false]);
});

it('knows a secret when it sees one', () => {
  expect(['weir_live_0123456789abcdef', 'x'.repeat(45)].map(isSecret)).toEqual([true, true]);
  expect(['weir', 'a long name of a key that someone gave it, with words', '01a20a62-79e4-7da7-9b7c-3fbb60ffd92c'].map(isSecret)).toEqual([
    false,
    false,
    false,
  ]);
});

it('goes round with the arrow keys', () => {
  expect([moveChoice(0, 1, 3), moveChoice(2, 1, 3), moveChoice(0, -1, 3), moveChoice(-1, 1, 3), moveChoice(0, 1, 0)]).toEqual([
    1, 0, 2, 0, -1,
  ]);
});
