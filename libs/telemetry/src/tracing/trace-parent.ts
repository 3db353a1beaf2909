type TraceParent = { readonly traceId: string; readonly spanId: string; readonly flags: number };

const FORMAT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const ZEROS = /^0+$/;

/** Reads a W3C `traceparent`; undefined for anything else, which then begins a new trace. */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
  const [, traceId, spanId, flags] = (text === undefined ? null : FORMAT.exec(text)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** What a log line has of its span, named as collectors of logs look for it. */
export type TraceFields = { readonly trace_id: string; readonly span_id: string };

/** Of a span of our own, whose `traceparent` has one form. */
export function describeTrace(traceparent: string): TraceFields {
  return { trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52) };
}

export function encodeTraceParent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;
}

/** Whether the spans of a trace are kept, by its mark. */
export function isTraceKept(text: string): boolean {
  return ((parseTraceParent(text)?.flags ?? 0) & 1) === 1;
}
