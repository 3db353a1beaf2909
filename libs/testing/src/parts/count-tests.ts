type Define = (name: string, body: () => unknown, timeout?: number) => void;
type DefineEach = (
  table: readonly unknown[] | TemplateStringsArray,
  ...values: unknown[]
) => (name: string, body: (...row: never[]) => unknown) => void;
type Definer = Define & { each: DefineEach; skip: Definer; only: Definer };

/** The part of jest's globals used here; taken from `globalThis`, so that this library can be loaded without jest. */
export type JestGlobals = { describe: Define & { skip: Define }; it: Definer; test: Definer };

/** Runs a suite's definition and counts the tests it defines, those of `it.each` by their rows. */
export function countTests(jest: JestGlobals, define: () => void): number {
  let count = 0;
  const counting = (real: Definer): Definer =>
    new Proxy(real, {
      apply: (target, self, args: Parameters<Define>) => {
        count += 1;
        return Reflect.apply(target, self, args);
      },
      get: (target, property) => {
        if (property === 'each') {
          return (table: readonly unknown[], ...values: unknown[]) => {
            count += 'raw' in table ? 1 : table.length;
            return target.each(table, ...values);
          };
        }
        const value = Reflect.get(target, property) as unknown;
        return property === 'skip' || property === 'only' ? counting(value as Definer) : value;
      },
    });
  const { it, test } = jest;
  jest.it = counting(it);
  jest.test = counting(test);
  try {
    define();
  } finally {
    jest.it = it;
    jest.test = test;
  }
  return count;
}
