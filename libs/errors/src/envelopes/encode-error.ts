import { getErrorRow } from '../error-catalogue';
import type { GatewayError, RefusingLimit, ScimErrorType } from '../gateway-error';

export type EnvelopeDialect = 'gateway' | 'messages' | 'access-list' | 'scim';

type EncodedError = {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text. */
  readonly body: string;
};

export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** Writes an error in the shape the endpoint's callers expect, with the headers SDKs obey. */
export function encodeError(error: GatewayError, dialect: EnvelopeDialect, requestId: string): EncodedError {
  const headers: Record<string, string> = {
    'content-type': dialect === 'scim' ? SCIM_MEDIA_TYPE : 'application/json; charset=utf-8',
    'x-should-retry': String(error.shouldRetry),
    // Where clients of this dialect look for it.
    ...(dialect === 'messages' ? { 'request-id': requestId } : {}),
  };
  const retryAfter = error.details.retryAfterSeconds;
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)));
  // Providers that report it inside a reply name no time.
  else if (error.status === 503 || error.code === 'provider_rate_limited') headers['retry-after'] = '5';
  return { status: error.status, headers, body: JSON.stringify(ENVELOPES[dialect](error, requestId)) };
}

type Envelope = (error: GatewayError, requestId: string) => unknown;

const ENVELOPES: Record<EnvelopeDialect, Envelope> = {
  gateway: (error, requestId) => ({ error: gatewayErrorBody(error, requestId) }),
  messages: (error, requestId) => ({
    type: 'error',
    error: {
      type: getErrorRow(error.code).messagesType,
      message: error.message,
      origin: error.origin,
      code: error.code,
      ...reportProviderCode(error),
      ...reportLimit(error),
    },
    request_id: requestId,
  }),
  'access-list': (error) => ({ error: { message: error.message } }),
  scim: (error) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...nameScimType(error),
    detail: error.message,
  }),
};

/** Clients branch on it where there is one; other statuses say enough. */
function nameScimType({ status, code, details }: GatewayError): { scimType?: ScimErrorType } {
  if (details.scimType !== undefined) return { scimType: details.scimType };
  if (status !== 400) return {};
  return { scimType: code === 'invalid_json' ? 'invalidSyntax' : 'invalidValue' };
}

/** The `error` object of the gateway envelope; also what a chat stream carries when it fails in the middle. */
export function gatewayErrorBody(error: GatewayError, requestId: string): Record<string, unknown> {
  const field = error.details.field ?? findProviderParam(error);
  return {
    origin: error.origin,
    message: error.message,
    type: getErrorRow(error.code).messagesType,
    code: error.code,
    ...reportProviderCode(error),
    // The published type of the dialect demands it: clients with strict types refuse an error without it.
    param: field ?? null,
    request_id: requestId,
    ...reportLimit(error),
    ...(error.details.problems === undefined ? {} : { problems: error.details.problems }),
  };
}

/** All that a client needs to act on a limit without reading the message. */
function reportLimit({ details: { limit } }: GatewayError): { limit?: RefusingLimit } {
  return limit === undefined ? {} : { limit };
}

/** The provider's own word for what the caller did: clients act on some of them. What is between us and the provider stays there. */
function reportProviderCode({ status, details }: GatewayError): { provider_code?: string } {
  const code = details.upstream?.code;
  return code === undefined || status >= 500 || /^\d+$/.test(code) ? {} : { provider_code: code };
}

/** The field the provider found fault with, by the provider's name for it. */
function findProviderParam({ status, details }: GatewayError): string | undefined {
  return status >= 500 ? undefined : details.upstream?.param;
}
