import type { RunningSpan, Tracing } from '@weir/telemetry';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestScope } from '../request-scope';

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };

/**
 * Spans one request of an endpoint. Whoever works on for it finds the span in the request's own `traceparent` header, in
 * this process and the next.
 */
export function traceRequest(tracing: Tracing, { request, response, scope }: Exchange): void {
  const { endpoint } = scope;
  const parent = request.headers['traceparent'];
  const span: RunningSpan = tracing.startSpan({
    name: `${endpoint.method} ${endpoint.path}`,
    kind: 'server',
    parent: typeof parent === 'string' ? parent : undefined,
    attributes: { 'http.request.method': endpoint.method, 'http.route': endpoint.path },
  });
  request.headers['traceparent'] = span.traceparent;
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    span.end({ 'http.response.status_code': statusCode, 'weir.request_id': scope.id, ...describeNotes(scope) }, findFailure());

    function findFailure(): string | undefined {
      if (typeof scope.notes['error'] === 'string') return scope.notes['error'];
      if (!writableFinished) return 'client_closed';
      return statusCode >= 500 ? String(statusCode) : undefined;
    }
  });
}

/** What the log line tells as well: the model asked for and who served it, never content. */
function describeNotes({ notes }: RequestScope): Record<string, string | number> {
  const told: Record<string, string | number> = {};
  if (typeof notes['model'] === 'string') told['gen_ai.request.model'] = notes['model'];
  if (typeof notes['provider'] === 'string') told['gen_ai.provider.name'] = notes['provider'];
  if (notes['attempts'] !== undefined && notes['attempts'] !== null) told['weir.attempts'] = Number(notes['attempts']);
  return told;
}
