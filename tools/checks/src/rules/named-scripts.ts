import type { Rule } from '../repository/repository';

const NAMED = /\bnpm (?:run (?:--silent )?([a-z][\w:-]*)|(start|test)\b)/g;

/** Every `npm run …` that a page names is there. */
export const checkNamedScripts: Rule = ({ files }) => {
  const manifest = files.find(({ path }) => path === 'package.json')?.text ?? '{}';
  const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, string> };
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => [...text.matchAll(NAMED)].map(([, run, word]) => ({ path, name: run ?? word ?? '' })))
    .filter(({ name }) => !(name in scripts))
    .map(({ path, name }) => `${path}: npm run ${name} is not there`);
};
