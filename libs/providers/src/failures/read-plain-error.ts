import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords } from './explain-failure';
import type { ResponseHeaders } from './read-retry-after';

/** The failure that a reply tells by its status, in words that stand where providers usually put them. */
export function readPlainError(
  status: number,
  headers: ResponseHeaders,
  { text, secrets }: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  return explainFailure({ status, headers, words: readProviderWords(text), secrets });
}
