import { GatewayError } from '@weir/errors';
import type { z } from 'zod';
import { describeIssue } from './describe-issue';

/** Checks a body against its schema. Throws `invalid_request`, or `unsupported_field` for what the schema does not know, naming the field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GatewayError('invalid_request', 'The body must be a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  // An unknown field first: it is often the misspelt one whose absence is the other complaint.
  const issues = result.error.issues.flatMap(openUnion);
  throw toRefusal(issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0], body);
}

/** Of the forms a value may have, the one it comes closest to says what is wrong with it; without one, all of them do. */
function openUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const close = issue.errors.find((form) => !form.some(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys'));
  return close === undefined ? [issue] : close.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toRefusal(issue: z.core.$ZodIssue | undefined, body: object): GatewayError {
  if (issue === undefined) return new GatewayError('invalid_request', 'The body is not what this endpoint takes.');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const field = [...path, issue.keys[0] ?? ''].join('.');
    return new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
  }
  const field = path.join('.');
  const problem = describeIssue(issue, valueAt(body, issue.path));
  return new GatewayError('invalid_request', `${field === '' ? 'The body' : `\`${field}\``} ${problem}.`, { field });
}

function valueAt(body: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined), body);
}
