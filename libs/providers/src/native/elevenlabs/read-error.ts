import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords, type ProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { asRecord, asText, parseJson } from '../../wire/json-value';

/** What the service's words mean, where the status says less or something else. */
const STATUS_OF_WORD: Readonly<Record<string, number>> = {
  quota_exceeded: 402,
  insufficient_credits: 402,
  too_many_concurrent_requests: 429,
  system_busy: 503,
  voice_not_found: 400,
  invalid_voice_id: 400,
};

/** `{detail:{status,message}}`, or `{detail:[…]}` for what it could not understand. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  { text, secrets }: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  const words = readWords(text);
  return explainFailure({ status: STATUS_OF_WORD[words.code ?? ''] ?? status, headers, words, secrets });
}

function readWords(text: string): ProviderWords {
  const detail = asRecord(asRecord(parseJson(text))?.['detail']);
  if (detail === undefined) return readProviderWords(text);
  const code = asText(detail['status']) ?? asText(detail['code']);
  return { message: asText(detail['message']) ?? '', ...(code === undefined ? {} : { code }) };
}
