import { countTests, type JestGlobals } from './count-tests';

function createRecorder(): { jest: JestGlobals; names: string[] } {
  const names: string[] = [];
  const define = Object.assign((name: string) => void names.push(name), {
    each: (table: readonly unknown[]) => (name: string) => void table.forEach(() => names.push(name)),
  });
  const definer = Object.assign(define, { skip: define, only: define }) as unknown as JestGlobals['it'];
  return { jest: { describe: definer as unknown as JestGlobals['describe'], it: definer, test: definer }, names };
}

it('counts every test that a definition makes, rows of a table one by one, and still defines them', () => {
  const { jest, names } = createRecorder();

  const count = countTests(jest, () => {
    jest.it('one', () => undefined);
    jest.test.skip('two', () => undefined);
    jest.it.each([1, 2, 3])('three', () => undefined);
  });

  expect(count).toBe(5);
  expect(names).toEqual(['one', 'two', 'three', 'three', 'three']);
});

it('puts the real functions back, also when the definition throws', () => {
  const { jest } = createRecorder();
  const { it: real } = jest;

  expect(() =>
    countTests(jest, () => {
      throw new Error('broken suite');
    }),
  ).toThrow('broken suite');

  expect(jest.it).toBe(real);
});
