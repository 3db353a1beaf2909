import { isTraceKept } from './tracing/trace-parent';

/** Where an observation was made: what leads from a histogram to the one request. */
export type SeenIn = { readonly traceparent: string; readonly requestId: string };

/** Undefined where the trace is not kept: it would lead nowhere. */
export function seenIn(traceparent: string | undefined, requestId: string): SeenIn | undefined {
  return traceparent !== undefined && isTraceKept(traceparent) ? { traceparent, requestId } : undefined;
}
