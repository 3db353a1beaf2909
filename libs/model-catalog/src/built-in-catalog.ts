import { DATA_FILES } from './data-files';
import { loadCatalogRows, type CatalogRows } from './load-catalog';
import type { ModelCatalog } from './model-catalog';

// Called under another name, so that the compiler does not work out the type of a megabyte of JSON.
const readJson = require as (path: string) => unknown;

/** The catalogue that ships with the gateway: every file of `data/models`. */
export function createBuiltInCatalog(now: () => number = Date.now): ModelCatalog {
  return loadCatalogRows(readBuiltInRows(), now);
}

/** Its files as they are, unchecked. */
export function readBuiltInRows(): CatalogRows[] {
  // `src` and `dist` are neighbours of `data`, so the path is the same from the source and from the build.
  return DATA_FILES.map((name) => ({ name, rows: readJson(`../data/models/${name}`) }));
}
