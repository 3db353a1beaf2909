import { rawList, textOf, type Raw } from '../reading/raw-json';

type Place = Record<string, unknown> | unknown[];

/** Arguments that arrive piece by piece: each piece has a path (`$.a[0].b`) and a value; text pieces of one path in a row join. */
export function assemblePartialArguments(pieces: readonly Raw[]): Raw {
  const root: Record<string, unknown> = {};
  for (const piece of rawList(pieces)) {
    const path = [...textOf(piece['jsonPath']).matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g)].map(([, name, index, quoted]) =>
      index === undefined ? (name ?? quoted ?? '') : Number(index),
    );
    setAt(root, path, piece);
  }
  return root;
}

function setAt(root: Place, path: readonly (string | number)[], piece: Raw): void {
  let place = root as Record<string | number, unknown>;
  path.slice(0, -1).forEach((step, depth) => {
    place[step] ??= typeof path[depth + 1] === 'number' ? [] : {};
    place = place[step] as Record<string | number, unknown>;
  });
  const last = path.at(-1);
  if (last === undefined) return;
  if ('stringValue' in piece) place[last] = `${textOf(place[last])}${textOf(piece['stringValue'])}`;
  else if ('nullValue' in piece) place[last] = null;
  else if ('numberValue' in piece) place[last] = piece['numberValue'];
  else if ('boolValue' in piece) place[last] = piece['boolValue'];
}
