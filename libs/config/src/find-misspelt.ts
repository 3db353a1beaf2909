export type MisspeltName = { readonly name: string; readonly meant: string };

/** How people end the name of a key, the longest first. */
const KEY_ENDS = ['APIKEY', 'APITOKEN', 'SECRETKEY', 'ACCESSTOKEN', 'TOKEN', 'SECRET', 'KEY'];

/** Names that are not `known`, and nearly one that is and is not given: letters twice, missing or swapped, other underscores, another word for a key. */
export function findMisspelt(names: readonly string[], known: readonly string[]): MisspeltName[] {
  const given = new Set(names);
  const exact = new Set(known.flatMap((name) => [name, `${name}_FILE`]));
  const wanted = known.filter((name) => !given.has(name) && !given.has(`${name}_FILE`)).map((name) => ({ name, stem: stemOf(name) }));
  return names
    .filter((name) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !exact.has(name) && !isOfNpm(name))
    .flatMap((name) => {
      const meant = findNearest(stemOf(name.replace(/_FILE$/i, '')), wanted);
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** npm hands its own settings to what it starts. */
function isOfNpm(name: string): boolean {
  return name.startsWith('npm_');
}

type Stem = { readonly text: string; readonly isKey: boolean };

function stemOf(name: string): Stem {
  const plain = name.toUpperCase().replaceAll('_', '');
  const end = KEY_ENDS.find((one) => plain.endsWith(one) && plain.length > one.length);
  return end === undefined ? { text: plain, isKey: false } : { text: plain.slice(0, -end.length), isKey: true };
}

function findNearest(stem: Stem, wanted: readonly { readonly name: string; readonly stem: Stem }[]): string | undefined {
  const near = wanted.filter((one) => one.stem.isKey === stem.isKey && isNear(stem.text, one.stem.text));
  // The one that is the same but for its underscores or its end, before one with other letters.
  return (near.find((one) => one.stem.text === stem.text) ?? near[0])?.name;
}

/** One slip in a name of five letters or more, two from ten on. */
function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  const allowed = Math.min(one.length, other.length) < 5 ? 0 : Math.min(one.length, other.length) < 10 ? 1 : 2;
  return allowed > 0 && Math.abs(one.length - other.length) <= allowed && countSlips(one, other) <= allowed;
}

/** Letters to add, leave out, change, or swap with their neighbour. */
function countSlips(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const slips = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(isSwapped ? Math.min(slips, at(before, j - 2) + 1) : slips);
    }
    [before, row] = [row, next];
  }
  return at(row, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
