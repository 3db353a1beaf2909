import { basename, dirname } from 'node:path/posix';

export type HouseFile = {
  /** Relative to the repository, `/` between the parts. */
  readonly path: string;
  readonly text: string;
};

export type HouseProject = { readonly name: string; readonly folder: string; readonly tags: readonly string[] };

/** The repository as the checks see it: text files and the projects their manifests describe. */
export type House = { readonly files: readonly HouseFile[]; readonly projects: readonly HouseProject[] };

/** A rule answers one line for each thing that is wrong: where, then what. */
export type Rule = (house: House) => string[];

/** Builds a house from paths and texts, so that a rule can be shown a broken one. */
export function createHouse(texts: Readonly<Record<string, string>>): House {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return { files, projects: files.flatMap(readProject) };
}

function readProject({ path, text }: HouseFile): HouseProject[] {
  if (!/^(libs|apps|tools)\/[^/]+\/package\.json$/.test(path)) return [];
  const folder = dirname(path);
  try {
    const manifest = JSON.parse(text) as { name?: string; nx?: { tags?: string[] } };
    return [{ name: manifest.name ?? basename(folder), folder, tags: manifest.nx?.tags ?? [] }];
  } catch {
    // A manifest that does not parse is what the rule for data files reports.
    return [{ name: basename(folder), folder, tags: [] }];
  }
}
