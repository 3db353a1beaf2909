import { createQueryQueue } from './create-query-queue';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs so many queries of one key at once, the others in order of arrival, and refuses too many', async () => {
  const queue = createQueryQueue({ runningMax: 2, waitingMax: 2 });
  const begun: string[] = [];
  const begin = (name: string, key = 'a') =>
    queue.acquire(key).then((permit) => {
      begun.push(name);
      return permit;
    });
  const [first, second] = await Promise.all([begin('first'), begin('second')]);
  const [third, fourth] = [begin('third'), begin('fourth')];
  await expect(begin('fifth')).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 5 } });
  (await begin('of another', 'b')).release();
  await settle();
  expect(begun).toEqual(['first', 'second', 'of another']);
  second.release();
  second.release();
  await settle();
  expect(begun.slice(3)).toEqual(['third']);
  first.release();
  (await fourth).release();
  (await third).release();
});

test('gives a permit without waiting only while one is free, and none that a waiting query is due', async () => {
  const queue = createQueryQueue({ runningMax: 1, waitingMax: 1 });
  const permit = queue.tryAcquire('a');
  expect([permit === undefined, queue.tryAcquire('a'), queue.tryAcquire('b') === undefined]).toEqual([false, undefined, false]);
  const waiting = queue.acquire('a');
  permit?.release();
  expect(queue.tryAcquire('a')).toBeUndefined();
  (await waiting).release();
  expect(queue.tryAcquire('a')).toBeDefined();
});
