import type { Repository, Rule } from '../repository/repository';
import { listImports } from '../repository/parse-source';

export const NATIVE_FOLDER = 'libs/providers/src/native';

/** The same seven names in every native provider, so that any of them can be read by who knows one. */
export const NATIVE_FILES = ['index', 'encode-request', 'decode-reply', 'decode-stream', 'read-usage', 'read-error', 'sign-request'];

/** What is left of them where there is no chat: the interfaces for pictures and sound have files of their own. */
export const MEDIA_FILES = ['index', 'read-error', 'sign-request'];

/** Of these a folder without chat has at least one. */
const LANES = ['images', 'speech', 'transcription'];

/** Folders, their seven files, and the address book agree. */
export const checkNativeFolders: Rule = (repository) => {
  const folders = listNativeFolders(repository);
  const book = repository.files.find(({ path }) => path === `${NATIVE_FOLDER}/index.ts`);
  if (book === undefined) return folders.length === 0 ? [] : [`${NATIVE_FOLDER}/index.ts: the address book is missing`];
  const listed = listImports(book).flatMap((specifier) => /^\.\/([^/]+)$/.exec(specifier)?.[1] ?? []);
  const media = readList(book.text, 'MEDIA_FOLDERS');
  const has = (folder: string, name: string): boolean =>
    repository.files.some(({ path }) => path === `${NATIVE_FOLDER}/${folder}/${name}.ts`);
  return [
    ...folders.filter((folder) => !listed.includes(folder)).map((folder) => `${NATIVE_FOLDER}/index.ts: does not list ${folder}`),
    ...folders.flatMap((folder) =>
      (media.includes(folder) ? MEDIA_FILES : NATIVE_FILES)
        .filter((name) => !has(folder, name))
        .map((name) => `${NATIVE_FOLDER}/${folder}/${name}.ts: is missing`),
    ),
    ...media
      .filter((folder) => !LANES.some((lane) => has(folder, lane)))
      .map((folder) => `${NATIVE_FOLDER}/${folder}: has neither chat nor one of ${LANES.join(', ')}`),
  ];
};

export function listNativeFolders({ files }: Repository): string[] {
  const inside = files.flatMap(({ path }) => new RegExp(`^${NATIVE_FOLDER}/([^/]+)/`).exec(path)?.[1] ?? []);
  return [...new Set(inside)].filter((folder) => !folder.startsWith('__'));
}

/** A list of folders that the address book itself gives by name. */
function readList(book: string, name: string): string[] {
  const list = new RegExp(`${name}\\b[^=]*=\\s*\\[([^\\]]*)\\]`).exec(book)?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
}
