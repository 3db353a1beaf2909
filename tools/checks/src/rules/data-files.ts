import type { Rule } from '../repository/repository';

/** Every JSON file parses: a data file is only ever read at boot, when it is too late. */
export const checkDataFiles: Rule = ({ files }) =>
  files
    .filter(({ path }) => path.endsWith('.json'))
    .flatMap(({ path, text }) => {
      try {
        JSON.parse(text);
        return [];
      } catch (error) {
        return [`${path}: ${error instanceof Error ? error.message : String(error)}`];
      }
    });
