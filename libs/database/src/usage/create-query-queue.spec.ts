import { createTurns } from './create-query-queue';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of one key so many run at once, the others in order of asking, and too many are refused', async () => {
  const turns = createTurns({ runningMax: 2, waitingMax: 2 });
  const begun: string[] = [];
  const begin = (name: string, key = 'a') =>
    turns.begin(key).then((turn) => {
      begun.push(name);
      return turn;
    });
  const [first, second] = await Promise.all([begin('first'), begin('second')]);
  const [third, fourth] = [begin('third'), begin('fourth')];
  await expect(begin('fifth')).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 5 } });
  (await begin('of another', 'b')).end();
  await settle();
  expect(begun).toEqual(['first', 'second', 'of another']);
  second.end();
  second.end();
  await settle();
  expect(begun.slice(3)).toEqual(['third']);
  first.end();
  (await fourth).end();
  (await third).end();
});

test('who does not wait has a turn while one is free, and none of those who wait', async () => {
  const turns = createTurns({ runningMax: 1, waitingMax: 1 });
  const turn = turns.tryBegin('a');
  expect([turn === undefined, turns.tryBegin('a'), turns.tryBegin('b') === undefined]).toEqual([false, undefined, false]);
  const waiting = turns.begin('a');
  turn?.end();
  expect(turns.tryBegin('a')).toBeUndefined();
  (await waiting).end();
  expect(turns.tryBegin('a')).toBeDefined();
});
