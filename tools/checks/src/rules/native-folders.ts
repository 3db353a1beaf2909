import type { House, Rule } from '../house/house';
import { listRuntimeImports } from '../house/parse-source';

export const NATIVE_FOLDER = 'libs/providers/src/native';

/** The same seven names in every native provider, so that any of them can be read by who knows one. */
export const NATIVE_FILES = ['index', 'encode-request', 'decode-reply', 'decode-stream', 'read-usage', 'read-error', 'sign-request'];

/** Folders, their seven files, and the address book agree. */
export const checkNativeFolders: Rule = (house) => {
  const folders = listNativeFolders(house);
  const book = house.files.find(({ path }) => path === `${NATIVE_FOLDER}/index.ts`);
  if (book === undefined) return folders.length === 0 ? [] : [`${NATIVE_FOLDER}/index.ts: the address book is missing`];
  const listed = listRuntimeImports(book).flatMap((specifier) => /^\.\/([^/]+)$/.exec(specifier)?.[1] ?? []);
  const builtIn = readBuiltIn(book.text);
  return [
    ...folders.filter((folder) => !listed.includes(folder)).map((folder) => `${NATIVE_FOLDER}/index.ts: does not list ${folder}`),
    ...folders
      .filter((folder) => !builtIn.includes(folder))
      .flatMap((folder) =>
        NATIVE_FILES.map((name) => `${NATIVE_FOLDER}/${folder}/${name}.ts`)
          .filter((wanted) => !house.files.some(({ path }) => path === wanted))
          .map((wanted) => `${wanted}: is missing`),
      ),
  ];
};

export function listNativeFolders({ files }: House): string[] {
  const inside = files.flatMap(({ path }) => new RegExp(`^${NATIVE_FOLDER}/([^/]+)/`).exec(path)?.[1] ?? []);
  return [...new Set(inside)].filter((folder) => !folder.startsWith('__'));
}

/** Folders that the address book itself says speak no wire of their own. */
function readBuiltIn(book: string): string[] {
  const list = /BUILT_IN_FOLDERS\b[^=]*=\s*\[([^\]]*)\]/.exec(book)?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
}
