import { basename, dirname } from 'node:path/posix';

export type RepositoryFile = {
  /** Relative to the repository, `/` between the parts. */
  readonly path: string;
  readonly text: string;
};

type RepositoryProject = { readonly name: string; readonly folder: string; readonly tags: readonly string[] };

/** The repository as the checks see it: text files and the projects their manifests describe. */
export type Repository = { readonly files: readonly RepositoryFile[]; readonly projects: readonly RepositoryProject[] };

/** A rule returns one line for each thing that is wrong: where, then what. */
export type Rule = (repository: Repository) => string[];

/** Builds a repository from paths and texts, so that a rule can be tried on a broken one. */
export function createRepository(texts: Readonly<Record<string, string>>): Repository {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return { files, projects: files.flatMap(readProject) };
}

function readProject({ path, text }: RepositoryFile): RepositoryProject[] {
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
