import { getEndpoint, planBody, validateBody, type BodyProblem, type EndpointRow, type PlanBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readJsonBody, type ParsedBody } from '@weir/http-server';

export type AskedPlan = {
  readonly apiKeyId: string | undefined;
  /** Undefined: to be recognized by the body. */
  readonly endpoint: EndpointRow | undefined;
  readonly headers: PlanBody['headers'];
  /** The body of the request, as its endpoint would receive it. */
  readonly body: Buffer;
  readonly parsed: ParsedBody;
};

/** Throws `invalid_request` or `unsupported_field`, naming the field. */
export async function readPlanBody(bytes: Buffer): Promise<AskedPlan> {
  const { json } = await readJsonBody(bytes);
  const read = validateBody(planBody, json);
  if (read.problems !== undefined) throw toRefusal(read.problems[0]);
  const { endpoint, api_key_id: apiKeyId, headers } = read.data;
  const body = Buffer.from(JSON.stringify(read.data.body));
  const parsed = await readJsonBody(body);
  return { apiKeyId, endpoint: endpoint === undefined ? undefined : getEndpoint(endpoint), headers, body, parsed };
}

function toRefusal(found: BodyProblem | undefined): GatewayError {
  if (found === undefined) return new GatewayError('invalid_request', 'The body is not what this endpoint takes.');
  const { field, problem, isUnknown } = found;
  if (isUnknown) return new GatewayError('unsupported_field', `Unknown field \`${field}\`.`, { field });
  return new GatewayError('invalid_request', `${field === '' ? 'The body' : `\`${field}\``} ${problem}.`, { field });
}
