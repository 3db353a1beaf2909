import { getErrorRow, typeForClients } from '../error-catalogue';
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
      message: explainInWords(error, 'messages'),
      origin: error.origin,
      code: nameForClients(error),
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
    message: explainInWords(error, 'gateway'),
    type: typeForClients(error.code),
    code: nameForClients(error),
    ...reportProviderCode(error),
    // The published type of the dialect demands it: clients with strict types refuse an error without it.
    param: field ?? null,
    request_id: requestId,
    ...reportLimit(error),
    ...(error.details.problems === undefined ? {} : { problems: error.details.problems }),
  };
}

/** The code that clients look for: what providers have many words for is written in the one that clients know. */
export function nameForClients({ code, details }: GatewayError): string {
  const { words } = getErrorRow(code);
  const own = details.upstream?.code;
  return words === undefined ? code : ((own !== undefined && words.includes(own) ? own : words[0]) ?? code);
}

/** By which clients of each dialect know that a conversation has to be made shorter. */
const TOO_LONG = {
  gateway: /maximum context length is|exceeds the context window/i,
  messages: /prompt is too long|exceed context limit/i,
} as const;

/** The message in the words that clients of the dialect act on, with what the provider said beside them. */
export function explainInWords({ code, message, details }: GatewayError, dialect: keyof typeof TOO_LONG): string {
  if (code !== 'provider_context_exceeded' || TOO_LONG[dialect].test(message)) return message;
  const { sent, most } = details.context ?? {};
  if (dialect === 'messages') {
    return sent === undefined || most === undefined
      ? `prompt is too long: ${message}`
      : `prompt is too long: ${sent} tokens > ${most} maximum (${message})`;
  }
  const limit = most === undefined ? 'smaller than this request' : `${most} tokens`;
  const asked = sent === undefined || most === undefined ? '' : ` However, your messages resulted in ${sent} tokens.`;
  return `This model's maximum context length is ${limit}.${asked} Please reduce the length of the messages. (${message})`;
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
