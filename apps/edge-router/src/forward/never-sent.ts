/** Failures of connecting: no byte of the request left. After any other, a worker may have it, and settles hold and slot itself. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** The same codes on an established connection mean that its host went away: what was under way there was sent. */
const OVER_A_CONNECTION = new Set<unknown>(['read', 'write']);

/** True when a request that could not be forwarded has certainly reached no worker. */
export function isNeverSent(error: unknown): boolean {
  const failure = findSystemError(error);
  return failure !== undefined && NEVER_SENT.has(failure.code) && !OVER_A_CONNECTION.has(failure.syscall);
}

/** The code of the system's or the HTTP client's error behind a failure: the innermost that has one. */
export function findSystemCode(error: unknown): string | undefined {
  return findSystemError(error)?.code;
}

type SystemError = { readonly code: string; readonly syscall?: unknown };

function findSystemError(error: unknown): SystemError | undefined {
  let found: SystemError | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') found = cause as Error & SystemError;
  }
  return found;
}
