import { GatewayError } from '@weir/errors';
import type { z } from 'zod';

/** Checks a body against its schema. Throws `invalid_request`, or `unsupported_field` for what the schema does not know, naming the field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GatewayError('invalid_request', 'The body must be a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  // An unknown field first: it is often the misspelt one whose absence is the other complaint.
  const issues = result.error.issues.flatMap(openUnion);
  throw describeIssue(issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]);
}

/** Of the forms a value may have, the one it comes closest to says what is wrong with it. */
function openUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const close = issue.errors.find((form) => !form.some(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys'));
  return (close ?? [{ ...issue, code: 'custom' as const, path: [] }]).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function describeIssue(issue: z.core.$ZodIssue | undefined): GatewayError {
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const field = [...path, issue.keys[0] ?? ''].join('.');
    return new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
  }
  const field = path.join('.');
  const reason = issue?.message ?? 'not valid';
  return new GatewayError('invalid_request', field === '' ? `The body is not valid: ${reason}` : `\`${field}\` is not valid: ${reason}`, {
    field,
  });
}
