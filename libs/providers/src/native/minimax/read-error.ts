import type { GatewayError } from '@weir/errors';
import { explainFailure } from '../../failures/explain-failure';
import { unsupported } from '../../failures/unsupported';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';

/** What the service's own codes mean; their HTTP status is 200. Others are the service's fault. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = {
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2049: 401,
  2056: 429,
};
/** What the service will not read, and what it will not say. */
const FILTER_CODES: ReadonlySet<number> = new Set([1026, 1027]);
/** The voice is not there, or belongs to another account. */
const VOICE_CODES: ReadonlySet<number> = new Set([2042, 2054]);

/** The failure that a reply reports in `base_resp`; undefined where it reports success, or nothing. */
export function findFailure(reply: JsonRecord, secrets: readonly string[]): GatewayError | undefined {
  const reported = asRecord(reply['base_resp']);
  const code = reported?.['status_code'];
  if (typeof code !== 'number' || code === 0) return undefined;
  if (VOICE_CODES.has(code)) return unsupported('voice', 'A voice of this name');
  const words = { message: asText(reported?.['status_msg']) ?? '', code: FILTER_CODES.has(code) ? 'content_filter' : String(code) };
  return explainFailure({ status: STATUS_OF_CODE[code] ?? 502, headers: {}, words, secrets });
}
