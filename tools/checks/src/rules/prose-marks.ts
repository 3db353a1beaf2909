import type { Repository, RepositoryFile, Rule } from '../repository/repository';

// Written in pieces, so that this file passes its own rules.
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);
const MACHINE_PATH = new RegExp(`(?<![\\w.~}*)])/(${['wo' + 'rk', 'ho' + 'me', 'ro' + 'ot', 'Use' + 'rs'].join('|')})/\\w`);

/** Nothing is left for later in the source; what is open belongs in the issue tracker. */
export const checkUnfinishedMarks: Rule = (repository) => findLines(repository, UNFINISHED, 'holds an unfinished mark');

/** No path of one machine. Images have paths of their own, which are the same everywhere. */
export const checkMachinePaths: Rule = (repository) =>
  findLines(
    { ...repository, files: repository.files.filter(({ path }) => !/^(docker|k8s)\//.test(path)) },
    MACHINE_PATH,
    'names a path of one machine',
  );

function findLines(repository: Repository, pattern: RegExp, reason: string): string[] {
  return repository.files.flatMap((file) => listMatches(file, pattern).map((line) => `${file.path}:${line}: ${reason}`));
}

function listMatches({ text }: RepositoryFile, pattern: RegExp): number[] {
  if (!pattern.test(text)) return [];
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}
