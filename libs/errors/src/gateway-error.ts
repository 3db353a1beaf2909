import { getErrorRow, type ErrorCode, type ErrorOrigin } from './error-catalogue';

export type GatewayErrorDetails = {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** The request field at fault, when one is. */
  readonly field?: string;
  /** What the request needs and the chosen model does not have. */
  readonly lacks?: 'web_search';
  /** What the provider replied; its writer has bounded it and cleaned it of secrets. For logs and routing; of what is their own fault, callers see the code and the field (`param`). */
  readonly upstream?: { readonly status: number; readonly code?: string; readonly type?: string; readonly param?: string };
};

/** The official SDKs wait no longer than this; when a longer wait is asked for, they try again in vain after a few seconds. */
const RETRY_WAIT_MAX_SECONDS = 60;

/**
 * The one error that reaches callers. Status, origin and retryability come from the catalogue row of `code`;
 * `message` is public text and never holds secrets, the cause is for logs only.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: GatewayErrorDetails;

  constructor(code: ErrorCode, publicMessage: string, details: GatewayErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return getErrorRow(this.code).status;
  }

  get origin(): ErrorOrigin {
    return getErrorRow(this.code).origin;
  }

  get isRetryable(): boolean {
    return getErrorRow(this.code).isRetryable;
  }

  /** Whether the client should send the request again by itself: not where it would have to wait longer than clients do. */
  get shouldRetry(): boolean {
    return this.isRetryable && (this.details.retryAfterSeconds ?? 0) <= RETRY_WAIT_MAX_SECONDS;
  }
}

/** Anything thrown, as an error a caller may see. Unknown errors become `internal`, their text stays in the cause. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError(
    'internal',
    'Something went wrong on our side. The request was not completed; try again, and quote the request id if it persists.',
    {
      cause: thrown,
    },
  );
}
