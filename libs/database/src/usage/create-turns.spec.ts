import { createTurns } from './create-turns';

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
  expect(await turns.take('a', () => Promise.resolve(7))).toBe(7);
});

test('work that fails gives its turn back', async () => {
  const turns = createTurns({ runningMax: 1, waitingMax: 0 });
  await expect(turns.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take('a', () => Promise.resolve('yes'))).toBe('yes');
});
