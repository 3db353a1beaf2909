const VALUE_LENGTH_MAX = 4096;
const VALUES_MAX = 4;
const VALUE = /^[\w-]+$/;

/** What a `Cookie` header has under a name, in its order: another path or host may have set one of the same name. */
export function readCookie(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (value.length <= VALUE_LENGTH_MAX && VALUE.test(value)) values.push(value);
  }
  return values.slice(0, VALUES_MAX);
}
