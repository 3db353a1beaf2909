import type { RepositoryFile, Rule } from '../repository/repository';

const MENTION = /`((?:apps|libs|tools|docs|docker|k8s|\.ci)\/[^`\s]*)`/g;

/** Pages whose paths are followed by readers of the code. */
const PAGES = ['README.md', 'docs/architecture.md'];

/** The map in the README, and the walks through the code, lead to places that exist. */
export const checkReadmePaths: Rule = ({ files }) => {
  const pages = files.filter(({ path }) => PAGES.includes(path));
  const missing = PAGES.filter((page) => !pages.some(({ path }) => path === page)).map((page) => `${page}: is missing`);
  return [...missing, ...pages.flatMap((page) => listWrong(page, files))];
};

function listWrong({ path: page, text }: RepositoryFile, files: readonly RepositoryFile[]): string[] {
  const mentioned = new Set([...text.matchAll(MENTION)].flatMap((match) => expandBraces(match[1] ?? '')));
  return [...mentioned].filter((path) => !exists(cutPlaceholders(path), files)).map((path) => `${page}: \`${path}\` does not exist`);
}

function exists(path: string, files: readonly { path: string }[]): boolean {
  return files.some((file) => file.path === path || file.path.startsWith(`${path}/`) || file.path === `${path}.ts`);
}

/** `a/<name>/b` and `a/*` stand for many; what must exist is the folder before. */
function cutPlaceholders(path: string): string {
  const parts = path.replace(/\/$/, '').split('/');
  const first = parts.findIndex((part) => /[<*…]/.test(part));
  return (first < 0 ? parts : parts.slice(0, first)).join('/');
}

function expandBraces(path: string): string[] {
  const match = /^(.*?)\{([^}]*)\}(.*)$/.exec(path);
  if (match === null) return [path];
  const [, before = '', list = '', after = ''] = match;
  return list.split(',').flatMap((one) => expandBraces(`${before}${one.trim()}${after}`));
}
