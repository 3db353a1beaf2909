import { GatewayError } from '@weir/errors';

/** Ends a fetch: `problem` completes a sentence that begins with the field, and never shows an address that was resolved. */
export function refuseFetch(field: string, problem: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', `${field} ${problem}.`, { field, ...(cause === undefined ? {} : { cause }) });
}

/** One sentence for names that do not exist and names that lead inside: no one learns from it what exists inside. */
export const NOT_PUBLIC = 'does not lead to a public address';
