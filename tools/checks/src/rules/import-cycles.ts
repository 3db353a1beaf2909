import { findCircles } from '../repository/find-circles';
import { readImportGraph } from '../repository/read-import-graph';
import type { Rule } from '../repository/repository';

/** Files do not import each other in circles, not even for types: what two files share has a file of its own. */
export const checkImportCycles: Rule = (repository) =>
  findCircles(readImportGraph(repository)).map(
    ([first = '', ...others]) => `${first}: imports itself through ${[...others, first].join(' → ')}`,
  );
