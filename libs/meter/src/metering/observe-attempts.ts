import { promptTokens } from '@weir/canonical';
import { getEndpoint, type Attempt, type Modality, type Passport } from '@weir/contracts';
import { isTraceKept, type AttemptMetrics, type RunningSpan, type SpanAttributes, type Tracing } from '@weir/telemetry';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ClosingFacts, OpenAttempt, Receipt, Meter } from '../meter';

type ObservedRequest = { readonly passport: Passport; readonly headers: IncomingHttpHeaders; readonly response: ServerResponse };

export type AttemptObserver = {
  /** The meter, watched. */
  readonly meter: Meter;
  /** A handler whose requests' attempts are found in their traces and in the overhead that they ask for. */
  guard<Request extends ObservedRequest>(handle: (request: Request) => Promise<void>): (request: Request) => Promise<void>;
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

type AttemptObserverParts = {
  readonly meter: Meter;
  readonly metrics: AttemptMetrics;
  readonly tracing: Tracing | undefined;
  /** See TRACE_PROVIDERS. */
  readonly isTracingProviders: boolean;
  /** What the conventions for generative AI call a provider. */
  readonly nameProvider: (providerId: string) => string;
  readonly providerTime: ProviderTimeHeader;
};

/** Of one request while it is served; absent for requests of which only metrics are kept. */
type ObservedState = {
  readonly parent: string | undefined;
  latest: RunningSpan | undefined;
  /** Of attempts that were answered or are over. */
  providerMs: number;
  waitingSince: number | undefined;
};

/** Shows every attempt in metrics, in traces, and to callers that ask for the overhead, from the one place that all attempts pass. */
export function createAttemptObserver({
  meter,
  metrics,
  tracing,
  isTracingProviders,
  nameProvider,
  providerTime,
}: AttemptObserverParts): AttemptObserver {
  const states = new Map<string, ObservedState>();
  const current = tracing !== undefined && isTracingProviders ? new AsyncLocalStorage<ObservedState>() : undefined;
  return {
    meter: {
      openAttempt: (passport, attemptIndex, expected) => {
        const opened = meter.openAttempt(passport, attemptIndex, expected);
        const state = states.get(passport.requestId);
        const span = state === undefined ? undefined : startSpan(tracing, state, { passport, attemptIndex, nameProvider });
        return watchAttempt({ opened, passport, attempt: passport.attempts[attemptIndex] as Attempt }, { metrics, state, span });
      },
    },
    guard: <Request extends ObservedRequest>(handle: (request: Request) => Promise<void>) => {
      const watch = async (request: Request, isCurious: boolean): Promise<void> => {
        const parent = request.headers['traceparent'];
        const state: ObservedState = {
          parent: typeof parent === 'string' ? parent : undefined,
          latest: undefined,
          providerMs: 0,
          waitingSince: undefined,
        };
        if (isCurious) providerTime.writeWithHead(request.response, () => readProviderMs(state));
        states.set(request.passport.requestId, state);
        try {
          await (current === undefined ? handle(request) : current.run(state, () => handle(request)));
        } finally {
          states.delete(request.passport.requestId);
        }
      };
      return (request: Request) => {
        const isCurious = providerTime.isAskedFor(request.headers);
        return tracing === undefined && !isCurious ? handle(request) : watch(request, isCurious);
      };
    },
    traceCalls: (send) => {
      if (current === undefined) return send;
      return (call) => {
        const traceparent = current.getStore()?.latest?.traceparent;
        return send(traceparent === undefined ? call : { ...call, headers: { ...call.headers, traceparent } });
      };
    },
  };
}

function readProviderMs(state: ObservedState): number {
  stopWaiting(state);
  return state.providerMs;
}

function stopWaiting(state: ObservedState | undefined): void {
  if (state?.waitingSince === undefined) return;
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

function startSpan(
  tracing: Tracing | undefined,
  state: ObservedState,
  { passport, attemptIndex, nameProvider }: { passport: Passport; attemptIndex: number } & Pick<AttemptObserverParts, 'nameProvider'>,
): RunningSpan | undefined {
  state.waitingSince = performance.now();
  if (tracing === undefined) return undefined;
  const attempt = passport.attempts[attemptIndex] as Attempt;
  const { modality = 'chat' } = getEndpoint(passport.endpointId);
  const operation = OPERATIONS[modality];
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
    },
  });
  state.latest = span;
  return span;
}

type Opened = { readonly opened: OpenAttempt; readonly passport: Passport; readonly attempt: Attempt };
type Watch = { readonly metrics: AttemptMetrics; readonly state: ObservedState | undefined; readonly span: RunningSpan | undefined };

function watchAttempt({ opened, passport, attempt }: Opened, { metrics, state, span }: Watch): OpenAttempt {
  const openedAt = performance.now();
  let firstByteMs: number | null = null;
  let isClosed = false;
  metrics.opened();
  return {
    eventId: opened.eventId,
    progress: (outputTokens) => opened.progress(outputTokens),
    noteFirstByte: () => {
      opened.noteFirstByte();
      if (firstByteMs !== null) return;
      firstByteMs = performance.now() - openedAt;
      stopWaiting(state);
      span?.note('first byte');
    },
    close: (facts) => {
      const receipt = opened.close(span === undefined ? facts : { ...facts, ...describeSpan(span) });
      if (isClosed) return receipt;
      isClosed = true;
      stopWaiting(state);
      metrics.settled({
        endpoint: passport.endpointId,
        provider: attempt.providerId,
        model: attempt.modelId,
        outcome: facts.status,
        durationMs: performance.now() - openedAt,
        firstByteMs,
        tokens: facts.usage,
        costPico: receipt.costPico,
        isDoubted: facts.doubted !== undefined,
      });
      span?.end(
        { ...describeEnd(facts, receipt, attempt), ...describeStart(passport, firstByteMs) },
        facts.status === 'ok' ? undefined : facts.status,
      );
      return receipt;
    },
  };
}

/** For the aggregator's trace: an event does not name a span that is not kept. */
function describeSpan({ traceparent }: RunningSpan): Pick<ClosingFacts, 'traceparent'> {
  return isTraceKept(traceparent) ? { traceparent } : {};
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
