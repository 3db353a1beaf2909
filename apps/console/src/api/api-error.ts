/** What went wrong, in the words of the gateway. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0: there was no response. */
  readonly status: number;
  readonly code: string | undefined;
  /** The field at fault. */
  readonly field: string | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, details: { status: number; code?: unknown; field?: unknown; requestId?: unknown }) {
    super(message);
    this.status = details.status;
    this.code = asText(details.code);
    this.field = asText(details.field);
    this.requestId = asText(details.requestId);
  }
}

/** Reads an error envelope; what is none (a proxy's page) is described by its status. */
export function readApiError(status: number, body: unknown, requestId?: string | null): ApiError {
  const envelope = asRecord(body);
  const error = asRecord(envelope['error']);
  const message = asText(error['message']) ?? `The gateway responded with ${status} and said nothing more.`;
  const id = requestId ?? error['request_id'] ?? envelope['request_id'];
  return new ApiError(message, { status, code: error['code'], field: error['param'], requestId: id });
}

/** Any thrown thing as one of ours; what `fetch` throws is a connection that failed. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError) return new ApiError('The gateway cannot be reached.', { status: 0 });
  return new ApiError(thrown instanceof Error ? thrown.message : String(thrown), { status: 0 });
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
