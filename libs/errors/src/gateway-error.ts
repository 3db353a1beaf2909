import { getErrorRow, type ErrorCode, type ErrorOrigin } from './error-catalogue';

export type GatewayErrorDetails = {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  /** The request field at fault, when one is. */
  readonly field?: string;
  /** Everything that is wrong with a document, each with its place in it; the message says the same. */
  readonly problems?: readonly { readonly path: string; readonly message: string }[];
  /** What the request needs and the chosen model does not have. */
  readonly lacks?: 'web_search';
  /** The limit that the request does not fit. */
  readonly limit?: RefusingLimit;
  /** How many tokens were sent and how many the model takes, as far as the provider says so. */
  readonly context?: { readonly sent?: number; readonly most?: number };
  /** The word that SCIM has for what is wrong (RFC 7644, 3.12), where the code does not say it. */
  readonly scimType?: ScimErrorType;
  /** What the provider replied; its writer has bounded it and cleaned it of secrets. For logs and routing; of what is their own fault, callers see the code and the field (`param`). */
  readonly upstream?: { readonly status: number; readonly code?: string; readonly type?: string; readonly param?: string };
};

export type ScimErrorType =
  'invalidFilter' | 'tooMany' | 'uniqueness' | 'mutability' | 'invalidSyntax' | 'invalidPath' | 'noTarget' | 'invalidValue';

/**
 * A limit as the error of a request that it refused has it: with the words of the tables of limits, amounts as exact decimal text
 * in the unit of the measure.
 */
export type RefusingLimit = {
  /** Null for limits that are settings of a key, a group or a member. */
  readonly id: string | null;
  readonly name: string;
  readonly scope: string;
  readonly measure: string;
  /** Null for what runs at a moment. */
  readonly window: string | null;
  readonly limit: string;
  /** Of requests that run, too. */
  readonly used: string;
  readonly remaining: string;
  /** What the request may use at most; null where that was not looked at. */
  readonly asked: string | null;
  /** When it frees by itself; null where it does not, or when a request that runs has ended. */
  readonly frees_at: string | null;
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
