import type { Rule } from '../repository/repository';
import { isSource } from '../repository/kinds-of-files';

const LINES_MAX = 400;

/** No file of code is longer than can be read at once. */
export const checkSizes: Rule = ({ files }) =>
  files
    .filter(({ path }) => isSource(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ path, lines }) => `${path}: has ${lines} lines, ${LINES_MAX} are the most`);
