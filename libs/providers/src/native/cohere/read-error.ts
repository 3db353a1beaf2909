import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';

/** `{message}`, with the status telling most of it. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  told: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  return explainFailure({ status, headers, words: readProviderWords(told.text), secrets: told.secrets });
}
