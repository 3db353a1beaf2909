import type { Context, Link, Span, SpanContext, TraceAPI } from '@opentelemetry/api';
import { encodeTraceParent, parseTraceParent } from './trace-parent';
import type { Resource } from '../otlp/resource';
import type { RunningSpan, Tracing } from './tracing';

type OtlpOptions = {
  readonly resource: Resource;
  /** Base URL of the collector. */
  readonly endpoint: string;
  /** Which share of the traces that begin here is kept, 0 to 1. Traces that come from elsewhere follow their own mark. */
  readonly sampleRatio: number;
};

const SEND_EVERY_MS = 1_000;

/** Sends spans to an OTLP/HTTP collector, in batches and in the background; a collector that is away costs spans, nothing else. */
export async function startOtlpTracing({ resource, endpoint, sampleRatio }: OtlpOptions): Promise<Tracing> {
  // Loading these takes longer than the rest of a service's start, so they are loaded by those who want them.
  const [{ ROOT_CONTEXT, SpanKind, trace }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { scheduledDelayMillis: SEND_EVERY_MS })],
  });
  const tracer = provider.getTracer('weir');
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
  return {
    startSpan: ({ name, kind, parent, links = [], attributes }) => {
      const options = { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(readLink) };
      return runSpan(tracer.startSpan(name, options, readContext(parent, trace, ROOT_CONTEXT)));
    },
    close: () => provider.shutdown(),
  };
}

function readContext(text: string | undefined, trace: TraceAPI, root: Context): Context {
  const parent = readSpanContext(text);
  return parent === undefined ? root : trace.setSpanContext(root, parent);
}

function readLink(text: string): Link[] {
  const context = readSpanContext(text);
  return context === undefined ? [] : [{ context }];
}

function readSpanContext(text: string | undefined): SpanContext | undefined {
  const parsed = parseTraceParent(text);
  if (parsed === undefined) return undefined;
  const { traceId, spanId, flags } = parsed;
  return { traceId, spanId, traceFlags: flags, isRemote: true };
}

/** Of SpanStatusCode; the enumeration itself is not loaded here. */
const STATUS_ERROR = 2;

function runSpan(span: Span): RunningSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  let isOver = false;
  return {
    traceparent: encodeTraceParent({ traceId, spanId, flags: traceFlags }),
    note: (name) => void span.addEvent(name),
    rename: (name) => void span.updateName(name),
    end: (attributes, failure) => {
      if (isOver) return;
      isOver = true;
      span.setAttributes({ ...attributes });
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: STATUS_ERROR });
      }
      span.end();
    },
  };
}
