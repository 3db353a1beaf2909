import { promptTokens } from '@weir/canonical';
import { getEndpoint, type Attempt, type Modality, type Passport } from '@weir/contracts';
import { isTraceKept, type AttemptMetrics, type RunningSpan, type SpanAttributes, type Tracing } from '@weir/telemetry';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ClosingFacts, Receipt } from '../meter';

export type ObservedRequest = { readonly passport: Passport; readonly headers: IncomingHttpHeaders; readonly response: ServerResponse };

export type RequestObserver = {
  readonly metrics: AttemptMetrics;
  /** What is shown of one request besides metrics; undefined where nothing is. */
  begin(request: ObservedRequest): RequestView | undefined;
  /** Runs what serves a request, so that calls to its providers are found to belong to its trace. */
  run<Result>(view: RequestView | undefined, serve: () => Promise<Result>): Promise<Result>;
  /** A transport that sends the trace's header to providers, where that is wanted. */
  traceCalls<Call extends { readonly headers: Readonly<Record<string, string>> }, Answer>(
    send: (call: Call) => Answer,
  ): (call: Call) => Answer;
};

/** How a response shows the time that was spent at providers, to callers that ask for it. */
export type ProviderTimeHeader = {
  isAskedFor(headers: IncomingHttpHeaders): boolean;
  /** Reads the milliseconds when the head of the response is written. */
  writeWithHead(response: ServerResponse, readMs: () => number): void;
};

type RequestObserverParts = {
  readonly metrics: AttemptMetrics;
  readonly tracing: Tracing | undefined;
  /** See TRACE_PROVIDERS. */
  readonly isTracingProviders: boolean;
  /** What the conventions for generative AI call a provider. */
  readonly nameProvider: (providerId: string) => string;
  readonly providerTime: ProviderTimeHeader;
};

/** One request in traces, and the time that its caller asked to see. */
export type RequestView = {
  /** Shows that an attempt is about to be sent. */
  opened(passport: Passport, attemptIndex: number): RunningSpan | undefined;
  /** Its provider has begun to reply, or it is over. */
  replied(): void;
  readonly state: ViewState;
};

type ViewState = {
  readonly parent: string | undefined;
  latest: RunningSpan | undefined;
  /** Of attempts that were answered or are over. */
  providerMs: number;
  waitingSince: number | undefined;
};

/** Shows the attempts of requests in metrics, in traces, and to callers that ask for the overhead. */
export function createRequestObserver(parts: RequestObserverParts): RequestObserver {
  const { metrics, tracing, isTracingProviders, providerTime } = parts;
  const current = tracing !== undefined && isTracingProviders ? new AsyncLocalStorage<ViewState>() : undefined;
  return {
    metrics,
    begin: ({ headers, response }) => {
      const isCurious = providerTime.isAskedFor(headers);
      if (tracing === undefined && !isCurious) return undefined;
      const parent = headers['traceparent'];
      const state: ViewState = {
        parent: typeof parent === 'string' ? parent : undefined,
        latest: undefined,
        providerMs: 0,
        waitingSince: undefined,
      };
      if (isCurious) providerTime.writeWithHead(response, () => readProviderMs(state));
      return {
        state,
        opened: (passport, attemptIndex) => startSpan(state, { passport, attemptIndex }, parts),
        replied: () => stopWaiting(state),
      };
    },
    run: (view, serve) => (current === undefined || view === undefined ? serve() : current.run(view.state, serve)),
    traceCalls: (send) => {
      if (current === undefined) return send;
      return (call) => {
        const traceparent = current.getStore()?.latest?.traceparent;
        return send(traceparent === undefined ? call : { ...call, headers: { ...call.headers, traceparent } });
      };
    },
  };
}

function readProviderMs(state: ViewState): number {
  stopWaiting(state);
  return state.providerMs;
}

function stopWaiting(state: ViewState): void {
  if (state.waitingSince === undefined) return;
  state.providerMs += performance.now() - state.waitingSince;
  state.waitingSince = undefined;
}

/** As the conventions for generative AI name what a request does. */
const OPERATIONS: Readonly<Record<Modality, string>> = {
  chat: 'chat',
  embedding: 'embeddings',
  image: 'generate_content',
  speech: 'generate_content',
  transcription: 'generate_content',
};

/** What the conventions for generative AI call the work of an endpoint. */
export function nameOperation(endpointId: string): string {
  return OPERATIONS[getEndpoint(endpointId).modality ?? 'chat'];
}

function startSpan(
  state: ViewState,
  { passport, attemptIndex }: { readonly passport: Passport; readonly attemptIndex: number },
  { tracing, nameProvider }: Pick<RequestObserverParts, 'tracing' | 'nameProvider'>,
): RunningSpan | undefined {
  state.waitingSince = performance.now();
  if (tracing === undefined) return undefined;
  const attempt = passport.attempts[attemptIndex] as Attempt;
  const { modality = 'chat' } = getEndpoint(passport.endpointId);
  const operation = nameOperation(passport.endpointId);
  const span = tracing.startSpan({
    name: `${operation} ${attempt.upstreamModel}`,
    kind: 'client',
    parent: state.parent,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': nameProvider(attempt.providerId),
      'gen_ai.request.model': attempt.upstreamModel,
      ...(passport.stream ? { 'gen_ai.request.stream': true } : {}),
      ...(modality === 'image' || modality === 'speech' ? { 'gen_ai.output.type': modality } : {}),
      'weir.provider': attempt.providerId,
      'weir.model': attempt.modelId,
      'weir.attempt': attemptIndex + 1,
      'weir.request_id': passport.requestId,
      'weir.organization_id': passport.caller.organizationId,
      'weir.api_key_id': passport.caller.apiKeyId,
    },
  });
  state.latest = span;
  return span;
}

/** For the aggregator's trace: an event does not name a span that is not kept. */
export function describeSpan({ traceparent }: RunningSpan): Pick<ClosingFacts, 'traceparent'> {
  return isTraceKept(traceparent) ? { traceparent } : {};
}

type Ended = { readonly facts: ClosingFacts; readonly receipt: Receipt; readonly firstByteMs: number | null };

/** Ends the span of an attempt, with what the conventions for generative AI ask for. */
export function endSpan(
  span: RunningSpan,
  { passport, attempt }: { readonly passport: Passport; readonly attempt: Attempt },
  ended: Ended,
): void {
  const { facts, receipt, firstByteMs } = ended;
  const attributes = { ...describeEnd(facts, receipt, attempt), ...describeStart(passport, firstByteMs) };
  span.end(attributes, facts.status === 'ok' ? undefined : facts.status);
}

function describeStart({ stream }: Passport, firstByteMs: number | null): SpanAttributes {
  return stream && firstByteMs !== null ? { 'gen_ai.response.time_to_first_chunk': firstByteMs / 1000 } : {};
}

function describeEnd({ usage, status, httpStatus }: ClosingFacts, { costUsd }: Receipt, { upstreamModel }: Attempt): SpanAttributes {
  return {
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite5m + usage.cacheWrite1h,
    ...(usage.reasoning > 0 ? { 'gen_ai.usage.reasoning.output_tokens': usage.reasoning } : {}),
    'weir.cost_usd': costUsd,
    // The name that was called: where a provider replies under the name of a snapshot, that name is not read.
    ...(status === 'ok' ? { 'gen_ai.response.model': upstreamModel } : {}),
    ...(httpStatus === null ? {} : { 'http.response.status_code': httpStatus }),
  };
}
