import type { RequestLine } from './merge-lines';
import { readAllRequests } from './read-all-requests';

const page = (count: number, next: string | null) => ({
  generations: Array.from({ length: count }, (_, at) => ({ id: String(at) }) as RequestLine),
  next_cursor: next,
});

describe('a list of requests that is taken along', () => {
  it('has the rows of every page', async () => {
    const asked: (string | undefined)[] = [];
    const { rows, isWhole } = await readAllRequests((cursor) => {
      asked.push(cursor);
      return Promise.resolve(asked.length < 3 ? page(200, `c${asked.length}`) : page(7, null));
    });
    expect([rows.length, isWhole, asked]).toEqual([407, true, [undefined, 'c1', 'c2']]);
  });

  it('ends somewhere, and says that it does', async () => {
    const full = await readAllRequests(() => Promise.resolve(page(200, 'more')));
    expect([full.rows.length, full.isWhole]).toEqual([10_000, false]);
    let asked = 0;
    const rare = await readAllRequests(() => Promise.resolve(page((asked += 1) % 100 === 0 ? 1 : 0, 'more')));
    expect([rare.rows.length, rare.isWhole, asked]).toEqual([2, false, 200]);
  });

  it('is none when a page of it could not be read', async () => {
    let asked = 0;
    const read = (): Promise<ReturnType<typeof page>> =>
      (asked += 1) === 1 ? Promise.resolve(page(1, 'more')) : Promise.reject(new Error('gone'));
    await expect(readAllRequests(read)).rejects.toThrow('gone');
  });
});
