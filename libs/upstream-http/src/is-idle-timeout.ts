import { errors } from 'undici';

/** Whether a body's error means that the upstream was silent for too long, rather than cut. */
export function isIdleTimeout(error: unknown): boolean {
  return error instanceof errors.BodyTimeoutError;
}
