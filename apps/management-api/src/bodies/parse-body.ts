import { validateBody, validateBodyInTurns, type BodyProblem } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { takeTurn } from '@weir/http-server';
import type { z } from 'zod';

/** Checks a body against its schema. Throws `invalid_request`, or `unsupported_field` for what the schema does not know, naming the field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, problems } = validateBody(schema, asObject(body));
  if (problems === undefined) return data;
  throw toRefusal(problems[0]);
}

/** The same of a body that may be large: others are served in between. */
export async function parseLargeBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Promise<z.output<Schema>> {
  const { data, problems } = await validateBodyInTurns(schema, asObject(body), takeTurn);
  if (problems === undefined) return data;
  throw toRefusal(problems[0]);
}

function asObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new GatewayError('invalid_request', 'The body must be a JSON object.');
}

function toRefusal(found: BodyProblem | undefined): GatewayError {
  if (found === undefined) return new GatewayError('invalid_request', 'The body is not what this endpoint takes.');
  const { field, problem, isUnknown } = found;
  if (isUnknown) return new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
  return new GatewayError('invalid_request', `${field === '' ? 'The body' : `\`${field}\``} ${problem}.`, { field });
}
