import type { EndpointRow } from '@weir/contracts';
import { ERROR_CATALOGUE, type ErrorCode } from '@weir/errors';

const ADMISSION = [
  'invalid_request',
  'invalid_json',
  'unsupported_field',
  'balance_exhausted',
  'model_not_allowed',
  'data_policy',
  'guardrail_blocked',
  'model_not_found',
  'provider_not_configured',
  'monthly_limit_reached',
  'limit_reached',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'overloaded',
] as const satisfies readonly ErrorCode[];

const IDEMPOTENCY = ['idempotency_key_reused', 'idempotency_in_progress', 'idempotency_reply_lost'] as const satisfies readonly ErrorCode[];

const PROVIDER = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter((code) => code.startsWith('provider_'));

/** The errors that follow from a row of the endpoint table: who may call, what may be sent, who is asked. */
export function listErrorCodes(row: EndpointRow, more: readonly ErrorCode[] = []): ErrorCode[] {
  return [
    ...new Set([
      ...codesOfCallers(row),
      ...codesOfBodies(row),
      ...codesOfPlaces(row),
      ...more,
      'internal',
      'dependency_down',
      'overloaded',
    ] as const),
  ];
}

function codesOfCallers({ permission, id }: EndpointRow): readonly ErrorCode[] {
  if (id === 'auth-check') return ['missing_credentials', 'unusable_key'];
  if (permission.kind === 'public') return ['invalid_credentials'];
  if (permission.kind === 'key') return ['missing_credentials', 'invalid_credentials'];
  return ['missing_credentials', 'invalid_credentials', 'permission_denied'];
}

function codesOfBodies(row: EndpointRow): readonly ErrorCode[] {
  // A refusal is a successful response here.
  if (row.id === 'estimate') return ['invalid_request', 'invalid_json', 'body_too_large', 'unsupported_media_type'];
  if (row.id === 'plan') return ['invalid_request', 'invalid_json', 'unsupported_field', 'body_too_large', 'unsupported_media_type'];
  if (isInference(row)) return [...ADMISSION, ...IDEMPOTENCY];
  if (row.body === 'form')
    return ['invalid_request', 'data_policy', 'body_too_large', 'unsupported_media_type', 'rate_limited', 'overloaded', ...IDEMPOTENCY];
  // Whose files are asked about counts towards the member's rate as well.
  if (row.permission.kind === 'completions') return ['rate_limited'];
  if (row.service !== 'management-api') return [];
  const sent: readonly ErrorCode[] = row.method === 'GET' ? [] : ['invalid_json', 'body_too_large', 'unsupported_media_type'];
  return ['invalid_request', 'unsupported_field', ...sent, ...(row.method === 'POST' ? IDEMPOTENCY : [])];
}

function codesOfPlaces(row: EndpointRow): readonly ErrorCode[] {
  if (isInference(row)) return row.service === 'edge-router' ? [] : PROVIDER;
  // A model that is not there has an error of its own.
  return row.path.includes(':') && row.id !== 'read-model' ? ['invalid_request', 'not_found'] : [];
}

function isInference({ permission, modality }: EndpointRow): boolean {
  return permission.kind === 'completions' && permission.level === 'write' && modality !== undefined;
}
