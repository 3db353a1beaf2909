import type { Rule } from '../repository/repository';

const HOLDS_SETTINGS = /^(apps\/[^/]+\/src\/env\.ts|libs\/config\/src\/.*\.ts)$/;
const SETTING = /^\s+([A-Z][A-Z0-9]*_?[A-Z0-9_]*):/gm;
const PAGE = 'docs/settings.md';

/** Every setting that a process reads stands in the page of settings. */
export const checkDocumentedSettings: Rule = ({ files }) => {
  const page = files.find(({ path }) => path === PAGE)?.text ?? '';
  const known = [...page.matchAll(/`([A-Z][A-Z0-9_]*\*?)`/g)].map(([, name = '']) => name);
  const isKnown = (name: string): boolean => known.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));
  return files
    .filter(({ path }) => HOLDS_SETTINGS.test(path) && !path.endsWith('.spec.ts'))
    .flatMap(({ path, text }) => [...text.matchAll(SETTING)].map(([, name = '']) => ({ path, name })))
    .filter(({ name }) => name.length > 2 && !isKnown(name))
    .map(({ path, name }) => `${path}: ${name} is not in ${PAGE}`);
};
