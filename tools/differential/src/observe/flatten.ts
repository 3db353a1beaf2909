/** A JSON value as lines `path = value`, in the order of the paths. */
export function flatten(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${path} = []`] : value.flatMap((each, at) => flatten(each, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [`${path} = ${JSON.stringify(value)}`];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return [`${path} = {}`];
  return members.flatMap(([name, each]) => flatten(each, path === '' ? name : `${path}.${name}`));
}
