export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One piece of work in a trace. */
export type RunningSpan = {
  /** W3C `traceparent`, for spans below this one. */
  readonly traceparent: string;
  /** A moment inside the span. */
  note(name: string): void;
  /** For what is known by a better name only later. */
  rename(name: string): void;
  /** Ends it; `failure` is a word of few, such as an error code. Only the first call counts. */
  end(attributes: SpanAttributes, failure?: string): void;
};

/** Where spans are sent. Where tracing is off there is none, and nothing is done for it. */
export type Tracing = {
  /** `parent` is a `traceparent` as it came; one that makes no sense begins a new trace. Attributes never hold content. */
  startSpan(span: {
    readonly name: string;
    readonly kind: 'server' | 'client' | 'consumer';
    readonly parent: string | undefined;
    /** Spans, by their `traceparent`, that this one goes on from without being part of their traces. */
    readonly links?: readonly string[];
    readonly attributes: SpanAttributes;
  }): RunningSpan;
  /** Sends what is left. */
  close(): Promise<void>;
};
