import { encodeAttributes, toNanoseconds } from '../otlp/otlp-values';
import type { Resource } from '../otlp/resource';
import type { OtlpSender } from '../otlp/send-otlp';
import { parseTraceParent } from '../tracing/trace-parent';
import type { LogRecord, LogSender } from './log-record';

/** As OTLP numbers it. */
const INFO = 9;

/** Sends records to a collector of OpenTelemetry. */
export function createOtlpLogSender(resource: Resource, send: OtlpSender): LogSender {
  return async (records) => {
    const outcome = await send(encodeLogs(resource, records, Date.now()), 'LogRecords');
    if (outcome.kind !== 'taken') return { isTaken: false, reason: outcome.message };
    // It took the message and left some of it out: none of it counts as taken, since which ones is not said.
    if (outcome.rejected > 0) return { isTaken: false, reason: `the collector refused ${outcome.rejected} records: ${outcome.message}` };
    return { isTaken: true };
  };
}

export function encodeLogs(resource: Resource, records: readonly LogRecord[], nowMs: number): object {
  const logRecords = records.map((record) => encodeRecord(record, nowMs));
  return { resourceLogs: [{ resource: { attributes: encodeAttributes(resource) }, scopeLogs: [{ scope: { name: 'weir' }, logRecords }] }] };
}

function encodeRecord({ name, atMs, id, text, members, traceparent }: LogRecord, nowMs: number): object {
  const trace = parseTraceParent(traceparent);
  return {
    timeUnixNano: toNanoseconds(atMs),
    observedTimeUnixNano: toNanoseconds(nowMs),
    ...{ severityNumber: INFO, severityText: 'INFO', eventName: name },
    body: { stringValue: text },
    attributes: encodeAttributes({ 'log.record.uid': id, ...members }),
    ...(trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId, flags: trace.flags }),
  };
}
