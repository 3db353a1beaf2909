import type { z } from 'zod';
import { describeIssue } from './describe-issue';

type Issue = z.core.$ZodIssue;

export type BodySchema = z.ZodType;

export type BodyProblem = {
  /** Where in the body, as `labels.team`; empty for the body itself. */
  readonly field: string;
  /** What follows the name of the field: `must be text`. */
  readonly problem: string;
  /** It has a member that the schema does not know. */
  readonly isUnknown: boolean;
};

/**
 * What its schema found wrong with a body, as the management interface says it. An unknown field comes first: it is often the
 * misspelt one whose absence is the other problem.
 */
export function findBodyProblems(issues: readonly Issue[], body: object): BodyProblem[] {
  const problems = issues.flatMap(openUnion).map((issue) => toProblem(issue, body));
  return [...problems.filter(({ isUnknown }) => isUnknown), ...problems.filter(({ isUnknown }) => !isUnknown)];
}

/** Of the forms a value may have, the one it comes closest to says what is wrong with it; without one, all of them do. */
function openUnion(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const close = issue.errors.find((form) => !form.some(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys'));
  return close === undefined ? [issue] : close.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toProblem(issue: Issue, body: object): BodyProblem {
  const path = issue.path.map(String);
  const isUnknown = issue.code === 'unrecognized_keys';
  if (isUnknown) path.push(issue.keys[0] ?? '');
  return { field: path.join('.'), problem: describeIssue(issue, valueAt(body, issue.path)), isUnknown };
}

function valueAt(body: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), body);
}
