import { createSlots } from './create-slots';

describe('createSlots', () => {
  it('lets so many run for one owner, the next in order, and others beside them', async () => {
    const take = createSlots({ running: 2, waiting: 2 });
    const releaseFirst = await take('a', undefined);
    await take('a', undefined);
    const order: string[] = [];
    const third = take('a', undefined).then(() => order.push('third'));
    const fourth = take('a', undefined).then(() => order.push('fourth'));
    await take('b', undefined);
    expect(order).toEqual([]);

    releaseFirst();
    releaseFirst(); // a second time gives nothing away
    await third;
    expect(order).toEqual(['third']);
    await expect(Promise.race([fourth, Promise.resolve('still waits')])).resolves.toBe('still waits');
  });

  it('refuses when too many wait', async () => {
    const take = createSlots({ running: 1, waiting: 1 });
    const release = await take('a', undefined);
    const waiting = take('a', undefined);

    await expect(take('a', undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    release();
    await expect(waiting).resolves.toBeInstanceOf(Function);
  });

  it('gives the place of one who left to the next', async () => {
    const take = createSlots({ running: 1, waiting: 2 });
    const release = await take('a', undefined);
    const leaving = new AbortController();
    const left = take('a', leaving.signal);
    const next = take('a', undefined);

    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    release();
    const releaseNext = await next;
    releaseNext();
    await expect(take('a', undefined)).resolves.toBeInstanceOf(Function);
  });
});
