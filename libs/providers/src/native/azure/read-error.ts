import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { asRecord, asText, parseJson } from '../../wire/json-value';

/**
 * `{error:{message,code,innererror}}`. A prompt that the filter stopped is refused like any other: another provider need
 * not be asked. Codes of the service's gateway are statuses in words.
 */
export function readError(status: number, headers: ResponseHeaders, text: string, secrets: readonly string[]): GatewayError {
  const words = readProviderWords(text);
  const inner = asText(asRecord(asRecord(asRecord(parseJson(text))?.['error'])?.['innererror'])?.['code']);
  const isFiltered = words.code === 'content_filter' || inner === 'ResponsibleAIPolicyViolation';
  const reported = isFiltered ? { ...words, code: 'content_filter' } : words;
  return explainFailure({ status: isFiltered ? 400 : status, headers, words: reported, secrets });
}
