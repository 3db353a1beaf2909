import { orderTries, pickNext } from './pick-next';

const all = [true, true, true, true];

it('tries first what is ready, and the rest in its own order', () => {
  const ready = [false, true, false, true];
  expect(orderTries(4, (index) => ready[index] === true)).toEqual([1, 3, 0, 2]);
  expect(orderTries(4, (index) => all[index] === true)).toEqual([0, 1, 2, 3]);
  expect(orderTries(3, () => false)).toEqual([0, 1, 2]);
  expect(orderTries(0, () => true)).toEqual([]);
});

it('asks nothing about an attempt that is the only one left', () => {
  const isReady = jest.fn(() => false);
  expect([pickNext([7], isReady), pickNext([], isReady), isReady.mock.calls.length]).toEqual([7, undefined, 0]);
});
