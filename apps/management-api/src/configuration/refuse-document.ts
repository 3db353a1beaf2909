import { describeProblems, type Problem } from '@weir/configuration';
import { GatewayError } from '@weir/errors';

/** A problem, and whether it is about what is there rather than about the document. */
export type FoundProblem = Problem & { readonly isConflict?: boolean };

/** One error with everything that is wrong. */
export function refuseDocument(problems: readonly FoundProblem[]): GatewayError {
  const isConflict = problems.every((problem) => problem.isConflict === true);
  const named = problems.map(({ path, message }) => ({ path, message }));
  const field = named[0]?.path;
  const message = `Nothing was changed. ${named.length === 1 ? 'One problem' : `${named.length} problems`}:\n${describeProblems(named)}`;
  return new GatewayError(isConflict ? 'conflict' : 'invalid_request', message, {
    problems: named,
    ...(field === undefined || field === '' ? {} : { field }),
  });
}
