import { readAutoCache } from './read-auto-cache';

it.each([
  [undefined, undefined],
  [null, undefined],
  [false, undefined],
  [true, { autoCache: '5m' }],
  ['5m', { autoCache: '5m' }],
  ['1h', { autoCache: '1h' }],
])('auto_cache %j asks for %j', (value, expected) => {
  expect(readAutoCache({ weir: { auto_cache: value } })).toEqual(expected);
  expect(readAutoCache({ requesty: { auto_cache: value } })).toEqual(expected);
});

it.each([['yes'], [1], ['2h'], [{}]])('auto_cache %j is refused', (value) => {
  expect(() => readAutoCache({ weir: { auto_cache: value } })).toThrow('weir.auto_cache must be');
});
