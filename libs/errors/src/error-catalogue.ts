export type ErrorOrigin = 'router' | 'provider';

type ErrorRow = {
  readonly status: number;
  readonly origin: ErrorOrigin;
  /** The type word of the messages dialect. */
  readonly messagesType: string;
  /** Whether trying again unchanged can help. `x-should-retry` says so to SDKs, unless the wait is longer than they wait. */
  readonly isRetryable: boolean;
  /**
   * The words that clients act on: the first is written as `error.code`, or the provider's own where it is one of the others.
   * Absent where the key is written.
   */
  readonly words?: readonly string[];
};

/** `source` is `<status> <origin>`; `more` says "retryable" where trying again can help. */
function row(source: `${number} ${ErrorOrigin}`, messagesType: string, more?: 'retryable' | readonly string[]): ErrorRow {
  const [status, origin] = source.split(' ') as [string, ErrorOrigin];
  const words = more === undefined || more === 'retryable' ? {} : { words: more };
  return { status: Number(status), origin, messagesType, isRetryable: more === 'retryable', ...words };
}

/** What providers of OpenAI's dialects call a prompt, or a reply, that they filtered. */
const FILTERED = [
  ...['content_policy_violation', 'content_filter', 'invalid_prompt', 'moderation_blocked'],
  ...['image_content_policy_violation', 'responsible_ai_policy_violation'],
];

/** Every error a caller can meet. The key is the public, stable `error.code`, unless clients look for another word. */
export const ERROR_CATALOGUE = {
  invalid_request: row('400 router', 'invalid_request_error'),
  invalid_json: row('400 router', 'invalid_request_error'),
  unsupported_field: row('400 router', 'invalid_request_error'),
  missing_credentials: row('401 router', 'authentication_error'),
  invalid_credentials: row('403 router', 'permission_error'),
  unusable_key: row('401 router', 'authentication_error'),
  permission_denied: row('403 router', 'permission_error'),
  model_not_allowed: row('403 router', 'permission_error'),
  data_policy: row('403 router', 'permission_error'),
  guardrail_blocked: row('403 router', 'permission_error'),
  balance_exhausted: row('402 router', 'billing_error'),
  monthly_limit_reached: row('412 router', 'billing_error'),
  limit_reached: row('412 router', 'rate_limit_error'),
  model_not_found: row('404 router', 'not_found_error'),
  provider_not_configured: row('404 router', 'not_found_error'),
  not_found: row('404 router', 'not_found_error'),
  method_not_allowed: row('405 router', 'invalid_request_error'),
  conflict: row('409 router', 'invalid_request_error'),
  last_administrator: row('409 router', 'invalid_request_error'),
  idempotency_key_reused: row('409 router', 'invalid_request_error'),
  idempotency_in_progress: row('409 router', 'invalid_request_error', 'retryable'),
  idempotency_reply_lost: row('409 router', 'invalid_request_error'),
  precondition_failed: row('412 router', 'invalid_request_error'),
  body_too_large: row('413 router', 'request_too_large'),
  unsupported_media_type: row('415 router', 'invalid_request_error'),
  rate_limited: row('429 router', 'rate_limit_error', 'retryable'),
  internal: row('500 router', 'api_error', 'retryable'),
  overloaded: row('503 router', 'overloaded_error', 'retryable'),
  dependency_down: row('503 router', 'overloaded_error', 'retryable'),
  provider_context_exceeded: row('400 provider', 'invalid_request_error', ['context_length_exceeded']),
  provider_content_filtered: row('400 provider', 'invalid_request_error', FILTERED),
  provider_refused: row('400 provider', 'invalid_request_error'),
  provider_model_not_found: row('404 provider', 'not_found_error', ['model_not_found']),
  provider_not_found: row('404 provider', 'not_found_error'),
  provider_body_too_large: row('413 provider', 'request_too_large'),
  provider_unprocessable: row('422 provider', 'invalid_request_error'),
  provider_rate_limited: row('429 provider', 'rate_limit_error', 'retryable'),
  provider_overloaded: row('503 provider', 'overloaded_error', 'retryable'),
  provider_credentials: row('502 provider', 'api_error'),
  provider_quota_exhausted: row('502 provider', 'api_error', ['insufficient_quota']),
  provider_failed: row('502 provider', 'api_error', 'retryable'),
  provider_unreadable: row('502 provider', 'api_error', 'retryable'),
  provider_unreachable: row('502 provider', 'api_error', 'retryable'),
  provider_timeout: row('504 provider', 'timeout_error', 'retryable'),
  provider_stream_cut: row('502 provider', 'api_error', 'retryable'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text);
}

export function getErrorRow(code: ErrorCode): ErrorRow {
  return ERROR_CATALOGUE[code];
}

/** Whether a provider refused the account that it was called with, or that account has nothing left to spend. */
export function isAccountRefusal(code: ErrorCode): boolean {
  return code === 'provider_credentials' || code === 'provider_quota_exhausted';
}

/** The class of an error in OpenAI's words: its clients try 402, 403, 412 and 413 again, unless this says whose fault they are. */
export function typeForClients(code: ErrorCode): string {
  const { status, isRetryable, messagesType } = getErrorRow(code);
  return isRetryable || status === 401 || status >= 500 ? messagesType : 'invalid_request_error';
}
