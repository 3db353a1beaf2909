import { COUNTING_ENDPOINTS, REQUEST_PRIORITIES, type EndpointRow } from '@weir/contracts';
import { HEADERS, type HeaderName } from '../operations/operation';
import type { JsonSchema } from './convert-schemas';

const RATES = ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'] as const;
const TOKEN_RATES = ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'] as const;
const MESSAGES_RATES = (Object.keys(HEADERS) as HeaderName[]).filter((name) => name.startsWith('anthropic-ratelimit-'));

/** The headers a request may have, as references to `PARAMETERS`: they follow from the row. */
export function describeParameters(row: EndpointRow): JsonSchema[] {
  const names = [
    ...(isInference(row) ? ['XTitle', 'XWeirField', 'XWeirStrict', 'XWeirCache', 'XWeirPriority'] : []),
    ...(isInference(row) || row.id === 'estimate' ? ['XWeirDataPolicy'] : []),
    ...(isInference(row) ? ['XWeirDebug', 'Traceparent'] : []),
    ...(takesIdempotencyKey(row) ? ['IdempotencyKey'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The headers that a success of this row may have, before those of its operation. */
export function listResponseHeaders(row: EndpointRow): HeaderName[] {
  return [
    ...listErrorHeaders(row),
    ...(takesIdempotencyKey(row) ? (['idempotency-replayed'] as const) : []),
    ...(isInference(row) ? (['x-weir-cache', 'x-weir-idempotency', 'x-weir-guardrail', 'x-weir-limits-unavailable'] as const) : []),
    ...(isInference(row) ? (['x-weir-provider-ms', 'x-weir-overhead-ms'] as const) : []),
    ...listRateHeaders(row),
  ];
}

/** The headers that every response of this row has, or that the refusal of this status may have. */
export function listErrorHeaders(row: EndpointRow, status?: number): HeaderName[] {
  return [
    'x-request-id',
    ...(row.errorDialect === 'messages' ? (['request-id'] as const) : []),
    ...(status !== undefined && isInference(row) ? (['x-weir-guardrail'] as const) : []),
    ...(status === 503 && isInference(row) ? (['x-weir-limits-unavailable'] as const) : []),
    ...(status === 429 ? listRateHeaders(row) : []),
  ];
}

/** Of limits whose window is short, in the words of the dialect. */
function listRateHeaders(row: EndpointRow): readonly HeaderName[] {
  if (!isRated(row)) return [];
  if (!isInference(row) || COUNTING_ENDPOINTS.has(row.id)) return RATES;
  return row.dialect === 'messages' ? [...RATES, ...MESSAGES_RATES] : [...RATES, ...TOKEN_RATES];
}

export function referToHeaders(names: readonly string[]): JsonSchema {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that responses refer to. */
export function describeHeaderComponents(): JsonSchema {
  return Object.fromEntries(Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]));
}

/** Whether a model is asked: only then is there something to cache, to look through and to set aside. */
function isInference({ permission, modality, id }: EndpointRow): boolean {
  return permission.kind === 'completions' && permission.level === 'write' && modality !== undefined && id !== 'estimate';
}

/** Whether the request counts towards its member's requests a minute. */
function isRated({ permission, id }: EndpointRow): boolean {
  return permission.kind === 'completions' && id !== 'estimate';
}

function takesIdempotencyKey({ method, permission, service, id }: EndpointRow): boolean {
  return method === 'POST' && (permission.kind === 'completions' || service === 'management-api') && id !== 'estimate';
}

/** Headers of requests, under the names that operations refer to. */
export const PARAMETERS: JsonSchema = {
  XTitle: {
    name: 'X-Title',
    in: 'header',
    description: 'What the request is part of; usage can be grouped by it (`origin_title`). Never sent to a provider.',
    schema: { type: 'string', maxLength: 128 },
  },
  XWeirField: {
    name: 'X-Weir-Name',
    in: 'header',
    description:
      'Any other header `X-Weir-<Name>` (or `X-Requesty-<Name>`) becomes the field `extra.<name>` of usage: 20 a request, values of up to 64 characters.',
    schema: { type: 'string', maxLength: 64 },
  },
  XWeirStrict: {
    name: 'X-Weir-Strict',
    in: 'header',
    description:
      '`true`: a field that the provider’s dialect has no word for is refused with 400, instead of being dropped and named in `x-weir-dropped`.',
    schema: { type: 'string', enum: ['true'] },
  },
  XWeirCache: {
    name: 'X-Weir-Cache',
    in: 'header',
    description:
      'Equal requests of an organization may share a response: `on` (for an hour), `off`, or a number of seconds from 1 to 86400.',
    schema: { type: 'string', pattern: '^(on|off|[1-9]\\d{0,4})$' },
  },
  XWeirPriority: {
    name: 'X-Weir-Priority',
    in: 'header',
    description:
      'In which class the request waits where its provider limits requests: up to that of the key, which it has without this header. More than that is a 403.',
    schema: { type: 'string', enum: [...REQUEST_PRIORITIES] },
  },
  XWeirDataPolicy: {
    name: 'X-Weir-Data-Policy',
    in: 'header',
    description:
      'Rules for this request beside those of the organization: `zero-retention`, `no-training`, `residency=eu` (or `us`, `ap`), with commas between them.',
    schema: { type: 'string' },
  },
  XWeirDebug: {
    name: 'X-Weir-Debug',
    in: 'header',
    description:
      '`overhead`: two headers of the response report how long the providers, and how long the gateway itself, took until the response began.',
    schema: { type: 'string', enum: ['overhead'] },
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'The caller’s trace (W3C Trace Context), which the gateway’s own spans continue.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same body is carried out once; with another body it is a 409. Kept for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};
