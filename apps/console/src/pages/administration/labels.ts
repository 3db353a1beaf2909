export type LabelRow = { readonly name: string; readonly value: string };

const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MOST = 16;
const LONGEST = 256;

export function toLabelRows(labels: Readonly<Record<string, string>>): LabelRow[] {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}

/** What the rows say; rows with neither name nor value say nothing. */
export function readLabelRows(rows: readonly LabelRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter(isSaid).map(({ name, value }) => [name.trim(), value.trim()]));
}

export function findLabelError(rows: readonly LabelRow[]): string | undefined {
  const said = rows.filter(isSaid);
  const names = said.map(({ name }) => name.trim());
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong === '') return 'Every label needs a name.';
  if (wrong !== undefined) return `"${wrong}" is no name of a label: letters, digits, “_”, “.” and “-”, at most 64.`;
  if (new Set(names).size < names.length) return 'Two labels have the same name.';
  if (said.length > MOST) return `At most ${MOST} labels.`;
  return said.some(({ value }) => value.length > LONGEST) ? `A value has at most ${LONGEST} characters.` : undefined;
}

export function isSameLabels(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => other[name] === one[name]);
}

function isSaid({ name, value }: LabelRow): boolean {
  return name.trim() !== '' || value.trim() !== '';
}
