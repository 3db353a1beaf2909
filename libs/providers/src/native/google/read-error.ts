import type { GatewayError } from '@weir/errors';
import { explainFailure, readProviderWords, type ProviderWords } from '../../failures/explain-failure';
import type { ResponseHeaders } from '../../failures/read-retry-after';
import { asArray, asRecord, asText, parseJson } from '../../wire/json-value';

/** `{error:{code,message,status,details[]}}`, in a list of one when it was to be a stream; how long to wait stands in a detail. */
export function readError(
  status: number,
  headers: ResponseHeaders,
  reported: { readonly text: string; readonly secrets: readonly string[] },
): GatewayError {
  const words = readProviderWords(reported.text);
  const details = detailsOf(reported.text);
  const wait = readRetryDelay(details);
  const isKeyTrouble = details.some((detail) => asText(asRecord(detail)?.['reason']) === 'API_KEY_INVALID');
  const whole: ProviderWords = {
    ...words,
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...(isKeyTrouble ? { code: 'API_KEY_INVALID' } : {}),
  };
  return explainFailure({ status, headers, words: whole, secrets: reported.secrets });
}

function detailsOf(text: string): readonly unknown[] {
  const parsed = parseJson(text);
  const body = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  return asArray(asRecord(body?.['error'])?.['details']);
}

/** "34.4s" */
function readRetryDelay(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const seconds = /^([\d.]+)s$/.exec(asText(asRecord(detail)?.['retryDelay']) ?? '')?.[1];
    if (seconds !== undefined) return Math.max(1, Math.ceil(Number(seconds)));
  }
  return undefined;
}
