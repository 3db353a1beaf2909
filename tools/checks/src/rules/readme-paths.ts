import type { Rule } from '../repository/repository';

const MENTION = /`((?:apps|libs|tools|docs|docker|k8s|\.ci)\/[^`\s]*)`/g;

/** The map in the README leads to places that exist. */
export const checkReadmePaths: Rule = ({ files }) => {
  const readme = files.find(({ path }) => path === 'README.md');
  if (readme === undefined) return ['README.md: is missing'];
  const mentioned = new Set([...readme.text.matchAll(MENTION)].flatMap((match) => expandBraces(match[1] ?? '')));
  return [...mentioned].filter((path) => !exists(cutPlaceholders(path), files)).map((path) => `README.md: \`${path}\` does not exist`);
};

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
