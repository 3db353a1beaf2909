export type LabelRow = { readonly name: string; readonly value: string };

export function toLabelRows(labels: Readonly<Record<string, string>>): LabelRow[] {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}

/** Each as `name=value`, as people search for it. */
export function listLabels(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([name, value]) => `${name}=${value}`);
}

/** What the rows say; rows with neither name nor value say nothing. */
export function readLabelRows(rows: readonly LabelRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter(isSaid).map(({ name, value }) => [name.trim(), value.trim()]));
}

/** What rows can be that labels cannot: without a name, or two of one name. */
export function findLabelError(rows: readonly LabelRow[]): string | undefined {
  const names = rows.filter(isSaid).map(({ name }) => name.trim());
  if (names.includes('')) return 'Every label needs a name.';
  return new Set(names).size < names.length ? 'Two labels have the same name.' : undefined;
}

export function isSameLabels(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => other[name] === one[name]);
}

function isSaid({ name, value }: LabelRow): boolean {
  return name.trim() !== '' || value.trim() !== '';
}
