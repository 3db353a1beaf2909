// What the generators do to text: names in their spellings, and lines put where they belong.

export function toPascal(kebab) {
  return kebab.replace(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());
}

export function toCamel(kebab) {
  const pascal = toPascal(kebab);
  return pascal[0].toLowerCase() + pascal.slice(1);
}

export function toConstant(kebab) {
  return kebab.toUpperCase().replaceAll('-', '_');
}

/** Adds an import after the last one; the formatter and the reader see it in a familiar place. */
export function addImport(text, line) {
  if (text.includes(line)) return text;
  const imports = [...text.matchAll(/^import [\s\S]*?;\n/gm)];
  const last = imports.at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
}

/** Adds lines at the end of the list that starts at `opening`; refuses when there is no such list. */
export function addToList(text, opening, lines) {
  const start = text.indexOf(opening);
  const end = start < 0 ? -1 : text.indexOf('\n]', start);
  if (end < 0) throw new Error(`there is no list that starts with "${opening}"`);
  return `${text.slice(0, end + 1)}${lines}${text.slice(end + 1)}`;
}
