import type { EndpointRow, ErrorDialect } from '@weir/contracts';
import { ERROR_CATALOGUE, getErrorRow, SCIM_MEDIA_TYPE, typeForClients, type ErrorCode } from '@weir/errors';
import type { JsonSchema } from './convert-schemas';
import { listErrorHeaders, referToHeaders } from './describe-headers';

const ENVELOPES: Readonly<Record<ErrorDialect, string>> = {
  gateway: 'GatewayError',
  messages: 'MessagesError',
  'access-list': 'AccessListError',
  scim: 'ScimError',
};
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Malformed body or invalid parameters',
  401: 'No credential',
  402: 'The organization’s balance is exhausted',
  403: 'Unknown, expired or revoked key; missing permission; a model, place or content that is not allowed',
  404: 'There is no such resource, model or provider here',
  405: 'This path takes other methods',
  409: 'Not possible as things stand',
  412: 'A limit is reached, or the resource was changed since it was read',
  413: 'Too large',
  415: 'The media type or the encoding is not accepted',
  422: 'The provider cannot work with it',
  429: 'Too many requests',
  500: 'Our own fault',
  502: 'The provider, or the identity provider, failed',
  503: 'Not at this moment',
  504: 'The provider took too long',
};
/** Endpoints whose 413 has no body. */
const EMPTY_413 = new Set(['image-generations', 'image-edits']);
/** After which trying again can help, and how long to wait; of a 409 where the first request still runs. */
const WITH_RETRY_AFTER = new Set([409, 429, 503]);

/** The error responses of an operation, by status. */
export function describeErrors(row: EndpointRow, codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const statuses = [...new Set(codes.map((code) => getErrorRow(code).status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      describeStatus(
        row,
        status,
        codes.filter((code) => getErrorRow(code).status === status),
      ),
    ]),
  );
}

function describeStatus(row: EndpointRow, status: number, codes: readonly ErrorCode[]): JsonSchema {
  const meaning = MEANINGS[status] ?? 'An error';
  const words = [...new Set(codes.map((code) => `\`${getErrorRow(code).words?.[0] ?? code}\``))].join(', ');
  const canWait = WITH_RETRY_AFTER.has(status) && codes.some((code) => getErrorRow(code).isRetryable);
  const described: JsonSchema = {
    description: `${meaning}: ${words}.`,
    headers: referToHeaders([...listErrorHeaders(row, status), 'x-should-retry', ...(canWait ? ['retry-after'] : [])]),
  };
  if (status === 413 && EMPTY_413.has(row.id)) return described;
  return {
    ...described,
    content: {
      [jsonTypeOf(row)]: {
        schema: { $ref: `#/components/schemas/${ENVELOPES[row.errorDialect]}` },
      },
    },
  };
}

/** The media type of JSON that goes to and comes from callers of an endpoint. */
export function jsonTypeOf({ errorDialect }: EndpointRow): string {
  return errorDialect === 'scim' ? SCIM_MEDIA_TYPE : 'application/json';
}

/** Every error of the gateway, as a table of the document’s own. */
export function listErrors(): JsonSchema[] {
  return (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map((key) => {
    const { status, origin, messagesType, isRetryable, words = [key] } = getErrorRow(key);
    const [code = key, ...also] = words;
    return {
      ...{ code, status, origin, type: typeForClients(key), messages_type: messagesType, retry: isRetryable },
      ...(also.length === 0 ? {} : { also }),
    };
  });
}
