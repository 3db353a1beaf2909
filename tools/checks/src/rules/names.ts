import type { Rule } from '../repository/repository';

const MEANINGLESS = new Set([
  'utils',
  'util',
  'common',
  'helpers',
  'helper',
  'shared',
  'core',
  'misc',
  'lib',
  'base',
  'manager',
  'managers',
]);
const KEBAB_FILE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.tsx?$/;
const OUR_CODE = /^(libs|apps|tools)\/[^/]+\/(src\/.*\.tsx?|[^/]+)$/;

/** Folders say what lives in them; files are kebab-case. */
export const checkNames: Rule = ({ files }) => {
  const folders = new Set(files.filter(({ path }) => OUR_CODE.test(path)).flatMap(({ path }) => listFolders(path)));
  return [
    ...[...folders]
      .filter((folder) => MEANINGLESS.has(folder.split('/').at(-1) ?? ''))
      .map((folder) => `${folder}: this name says nothing`),
    ...files
      .filter(({ path }) => /^(libs|apps|tools)\/.*\.tsx?$/.test(path) && !KEBAB_FILE.test(path.split('/').at(-1) ?? ''))
      .map(({ path }) => `${path}: is not kebab-case`),
  ];
};

function listFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  // tools/generators/lib is the generator of libraries.
  return parts
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .filter((folder) => folder.includes('/') && folder !== 'tools/generators/lib');
}
