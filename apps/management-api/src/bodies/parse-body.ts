import { findBodyProblems, type BodyProblem } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { z } from 'zod';

/** Checks a body against its schema. Throws `invalid_request`, or `unsupported_field` for what the schema does not know, naming the field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GatewayError('invalid_request', 'The body must be a JSON object.');
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw toRefusal(findBodyProblems(result.error.issues, body)[0]);
}

function toRefusal(found: BodyProblem | undefined): GatewayError {
  if (found === undefined) return new GatewayError('invalid_request', 'The body is not what this endpoint takes.');
  const { field, problem, isUnknown } = found;
  if (isUnknown) return new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
  return new GatewayError('invalid_request', `${field === '' ? 'The body' : `\`${field}\``} ${problem}.`, { field });
}
