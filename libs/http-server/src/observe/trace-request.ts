import type { RunningSpan, SpanAttributes, Tracing } from '@weir/telemetry';
import type { Request } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestScope } from '../request-scope';

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };

/**
 * Spans one request of an endpoint. Whoever works on for it finds the span in the request's own `traceparent` header, in
 * this process and the next.
 */
export function traceRequest(tracing: Tracing, exchange: Exchange): void {
  const { method, path } = exchange.scope.endpoint;
  const span = startSpan(tracing, exchange, { name: `${method} ${path}`, method, route: path });
  exchange.response.once('close', () => endSpan(span, exchange));
}

/** Spans a request that Express answers: which route it is of is known only afterwards, and it may be of none. */
export function tracePage(tracing: Tracing, exchange: Exchange): void {
  const method = exchange.request.method ?? '';
  const span = startSpan(tracing, exchange, { name: method, method });
  exchange.response.once('close', () => {
    const { route } = exchange.request as Partial<Request>;
    const path: unknown = route?.path;
    if (typeof path === 'string') span.rename(`${method} ${path}`);
    endSpan(span, exchange, typeof path === 'string' ? { 'http.route': path } : {});
  });
}

type Named = { readonly name: string; readonly method: string; readonly route?: string };

function startSpan(tracing: Tracing, { request }: Exchange, { name, method, route }: Named): RunningSpan {
  const parent = request.headers['traceparent'];
  const span = tracing.startSpan({
    name,
    kind: 'server',
    parent: typeof parent === 'string' ? parent : undefined,
    attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
  });
  request.headers['traceparent'] = span.traceparent;
  return span;
}

function endSpan(span: RunningSpan, { response, scope }: Exchange, more: SpanAttributes = {}): void {
  const { statusCode, writableFinished } = response;
  const reported = { 'http.response.status_code': statusCode, 'weir.request_id': scope.id };
  span.end({ ...reported, ...more, ...describeNotes(scope) }, findFailure());

  function findFailure(): string | undefined {
    if (typeof scope.notes['error'] === 'string') return scope.notes['error'];
    if (!writableFinished) return 'client_closed';
    return statusCode >= 500 ? String(statusCode) : undefined;
  }
}

/** What the log line tells as well: the model asked for and who served it, never content. */
function describeNotes({ notes }: RequestScope): Record<string, string | number> {
  const reported: Record<string, string | number> = {};
  if (typeof notes['model'] === 'string') reported['gen_ai.request.model'] = notes['model'];
  if (typeof notes['provider'] === 'string') reported['gen_ai.provider.name'] = notes['provider'];
  if (notes['attempts'] !== undefined && notes['attempts'] !== null) reported['weir.attempts'] = Number(notes['attempts']);
  return reported;
}
