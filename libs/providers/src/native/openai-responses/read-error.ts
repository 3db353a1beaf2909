import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';

/** `{error:{message,type,param,code}}`; an exhausted account arrives as 429 with a code of its own. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  words: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  return explainFailure({ status, headers, words: readProviderWords(words.text), secrets: words.secrets });
}
