import { readPages, type PageQuery } from './read-pages';

it('reads every page once, in order, and shows what it has meanwhile', async () => {
  const asked: PageQuery[] = [];
  const pages = [
    { rows: [1, 2], next: 'a' },
    { rows: [3], next: 'b' },
    { rows: [4], next: null },
  ];
  const seen: (readonly number[])[] = [];
  const all = await readPages(
    (query) => {
      asked.push(query);
      return Promise.resolve(pages[asked.length - 1] ?? { rows: [], next: null });
    },
    (begun) => seen.push(begun),
  );

  expect(all).toEqual([1, 2, 3, 4]);
  expect(seen).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'b']);
});

it('fails as a whole: a part of a list is not the list', async () => {
  let pages = 0;
  const read = (): Promise<{ rows: number[]; next: string }> =>
    (pages += 1) === 1 ? Promise.resolve({ rows: [1], next: 'a' }) : Promise.reject(new Error('gone'));
  await expect(readPages(read)).rejects.toThrow('gone');
});
