import type { GatewayError } from '@weir/errors';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { readError as readGoogleError } from '../google/read-error';

/** The service's own errors; those of other makers' models have the same members where it matters. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  words: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  return readGoogleError(status, headers, words);
}
