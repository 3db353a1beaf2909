import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords } from './explain-failure';
import type { ResponseHeaders } from './read-retry-after';

/** The failure behind a reply's status, with its message from where providers usually put it. */
export function readPlainError(status: number, headers: ResponseHeaders, text: string, secrets: readonly string[]): GatewayError {
  return explainFailure({ status, headers, words: readProviderWords(text), secrets });
}
