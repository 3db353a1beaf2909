import type { RunningSpan, SpanAttributes, Tracing } from '@weir/telemetry';
import type { Request } from 'express';
import type { RequestScope, ServedRequest } from '../requests/request-scope';

/**
 * Opens the span of a request of an endpoint. The spans below it find it in the request's own `traceparent` header, in
 * this process and the next.
 */
export function traceRequest(tracing: Tracing, served: ServedRequest): void {
  const { method, path } = served.scope.endpoint;
  const span = startSpan(tracing, served, { name: `${method} ${path}`, method, route: path });
  served.response.once('close', () => endSpan(span, served));
}

/** Opens the span of a request that Express serves: which route it is of is known only afterwards, and it may be of none. */
export function tracePage(tracing: Tracing, served: ServedRequest): void {
  const method = served.request.method ?? '';
  const span = startSpan(tracing, served, { name: method, method });
  served.response.once('close', () => {
    const { route } = served.request as Partial<Request>;
    const path: unknown = route?.path;
    if (typeof path === 'string') span.rename(`${method} ${path}`);
    endSpan(span, served, typeof path === 'string' ? { 'http.route': path } : {});
  });
}

type Named = { readonly name: string; readonly method: string; readonly route?: string };

function startSpan(tracing: Tracing, { request, scope }: ServedRequest, { name, method, route }: Named): RunningSpan {
  const parent = request.headers['traceparent'];
  const span = tracing.startSpan({
    name,
    kind: 'server',
    parent: typeof parent === 'string' ? parent : undefined,
    attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
  });
  request.headers['traceparent'] = span.traceparent;
  scope.span = span;
  return span;
}

function endSpan(span: RunningSpan, { response, scope }: ServedRequest, more: SpanAttributes = {}): void {
  const { statusCode, writableFinished } = response;
  const status = { 'http.response.status_code': statusCode, 'weir.request_id': scope.id };
  span.end({ ...status, ...more, ...describeNotes(scope) }, findFailure());

  function findFailure(): string | undefined {
    if (scope.notes.error !== undefined) return scope.notes.error;
    if (!writableFinished) return 'client_closed';
    return statusCode >= 500 ? String(statusCode) : undefined;
  }
}

/** What the log line has as well: who asked, for which model, and who served it; never content. */
function describeNotes({ notes }: RequestScope): Record<string, string | number> {
  const attributes: Record<string, string | number> = {};
  if (notes.organizationId !== undefined) attributes['weir.organization_id'] = notes.organizationId;
  if (notes.apiKeyId !== undefined) attributes['weir.api_key_id'] = notes.apiKeyId;
  if (notes.model !== undefined) attributes['gen_ai.request.model'] = notes.model;
  if (notes.provider !== undefined) attributes['gen_ai.provider.name'] = notes.provider;
  if (notes.attempts !== undefined) attributes['weir.attempts'] = Number(notes.attempts);
  return attributes;
}
