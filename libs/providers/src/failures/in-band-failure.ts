import type { GatewayError } from '@weir/errors';
import type { Provider } from '../provider/provider';
import { asRecord, parseJson } from '../wire/json-value';
import { hasFailure, statusOfFailure } from './stream-failure';

/** What a provider says, as JSON text, of a failure in an answer that began as a success: the error a caller meets. */
export function readInBandFailure(provider: Pick<Provider, 'readError'>, text: string): GatewayError {
  const body = asRecord(parseJson(text));
  return provider.readError((body === undefined ? null : statusOfFailure(body)) ?? 502, {}, text);
}

/** Whether the parsed body of a success is the report of a failure instead of a reply. */
export function isFailureReport(body: unknown): boolean {
  const report = asRecord(body);
  return report !== undefined && (hasFailure(report) || report['status'] === 'failed');
}
