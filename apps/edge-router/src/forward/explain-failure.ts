/** Failures of connecting: no byte of the request left. After any other, a worker may have it, and settles hold and place itself. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether a request that could not be handed on has reached no worker for certain. */
export function isNeverSent(error: unknown): boolean {
  const code = findSystemCode(error);
  return code !== undefined && NEVER_SENT.has(code);
}

/** The code of the system's or the HTTP client's error behind a failure: the innermost that has one. */
export function findSystemCode(error: unknown): string | undefined {
  let found: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') found = cause.code;
  }
  return found;
}
