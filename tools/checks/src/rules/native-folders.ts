import type { Repository, Rule } from '../repository/repository';
import { listImports } from '../repository/parse-source';

export const NATIVE_FOLDER = 'libs/providers/src/native';

/** Every folder of a native provider has an entry, and the list of providers imports it. */
export const checkNativeFolders: Rule = (repository) => {
  const folders = listNativeFolders(repository);
  const list = repository.files.find(({ path }) => path === `${NATIVE_FOLDER}/index.ts`);
  if (list === undefined) return folders.length === 0 ? [] : [`${NATIVE_FOLDER}/index.ts: is missing`];
  const listed = listImports(list).flatMap((specifier) => /^\.\/([^/]+)$/.exec(specifier)?.[1] ?? []);
  const hasEntry = (folder: string): boolean => repository.files.some(({ path }) => path === `${NATIVE_FOLDER}/${folder}/index.ts`);
  return [
    ...folders.filter((folder) => !listed.includes(folder)).map((folder) => `${NATIVE_FOLDER}/index.ts: does not list ${folder}`),
    ...folders.filter((folder) => !hasEntry(folder)).map((folder) => `${NATIVE_FOLDER}/${folder}/index.ts: is missing`),
  ];
};

export function listNativeFolders({ files }: Repository): string[] {
  const inside = files.flatMap(({ path }) => new RegExp(`^${NATIVE_FOLDER}/([^/]+)/`).exec(path)?.[1] ?? []);
  return [...new Set(inside)].filter((folder) => !folder.startsWith('__'));
}
