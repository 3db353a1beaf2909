import { GatewayError } from '@weir/errors';
import type { z } from 'zod';

/** Checks a body against its schema. Throws `invalid_request`, or `unsupported_field` for what the schema does not know, naming the field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GatewayError('invalid_request', 'The body must be a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  // An unknown field first: it is often the misspelt one whose absence is the other complaint.
  throw describeIssue(result.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? result.error.issues[0]);
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
