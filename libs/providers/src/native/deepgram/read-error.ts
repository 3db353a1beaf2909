import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords, type ProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { asRecord, asText, parseJson } from '../../wire/json-value';

/** `{err_code,err_msg}`, and `{category,message,details}` in newer parts of the service. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  { text, secrets }: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  return explainFailure({ status, headers, words: readWords(text), secrets });
}

function readWords(text: string): ProviderWords {
  const body = asRecord(parseJson(text));
  const words = readProviderWords(text);
  const code = asText(body?.['err_code']) ?? asText(body?.['category']);
  const message = asText(body?.['err_msg']) ?? [words.message, asText(body?.['details'])].filter(Boolean).join(' ');
  return { ...words, message, ...(code === undefined ? {} : { code }) };
}
