import { describeTrace, findLineWriter, redactSecrets, seenIn, type Logger, type RequestMetrics } from '@weir/telemetry';
import type { IncomingMessage } from 'node:http';
import type { LoadRefusal } from '../load/refuse-for-load';
import type { ServedRequest } from '../requests/request-scope';
import { formatRequestLine, type RequestEnding } from './format-request-line';
import { createLineBudget } from './line-budget';

/** What requests at addresses of no endpoint are counted as. */
export const OTHER_ENDPOINT_ID = 'other';

type RequestReport = {
  /** Of a request that was watched to its end. */
  ended(served: ServedRequest, path: string, nowMs: number): void;
  /** Of one that was over when it began. */
  refusedForLoad(request: IncomingMessage, about: LoadRefusal): void;
};

/** Lines a second about requests that were refused for load; the next line has the count of those kept back. */
const REFUSAL_LINES_PER_SECOND = 20;

/** Counts requests that are over, and writes the line of each. */
export function createRequestReport({ metrics, log }: { readonly metrics: RequestMetrics; readonly log: Logger }): RequestReport {
  const lines = findLineWriter(log);
  const refusalLines = createLineBudget(REFUSAL_LINES_PER_SECOND);
  return {
    ended: ({ request, response, scope }, path, nowMs) => {
      const durationMs = nowMs - scope.startedMonotonicMs;
      const { endpoint, notes, span } = scope;
      metrics.finished(endpoint.id, response.statusCode, durationMs, span === undefined ? undefined : seenIn(span.traceparent, scope.id));
      if (endpoint.id === OTHER_ENDPOINT_ID && isProbe(path)) return;
      const keptBack = notes.error === 'overloaded' ? refusalLines.take() : 0;
      if (keptBack === null) return;
      if (keptBack > 0) notes.refusalsNotLogged = keptBack;
      const ending: RequestEnding = {
        requestId: scope.id,
        method: request.method,
        path: hideKeys(path, endpoint.path),
        status: response.statusCode,
        complete: response.writableFinished,
        durationMs: round(durationMs),
        ...(span === undefined ? undefined : describeTrace(span.traceparent)),
      };
      const line = lines === undefined || path !== endpoint.path ? undefined : formatRequestLine(ending, notes);
      if (line === undefined) log.info({ ...ending, ...notes }, 'request');
      else lines?.write(line);
    },
    refusedForLoad: ({ method }, { requestId, path, endpointId, error, status, durationMs }) => {
      metrics.started();
      if (endpointId !== OTHER_ENDPOINT_ID) metrics.failed(endpointId, error.code);
      metrics.finished(endpointId, status, durationMs);
      const keptBack = refusalLines.take();
      if (keptBack === null) return;
      const notes = keptBack > 0 ? { error: error.code, refusalsNotLogged: keptBack } : { error: error.code };
      const ending = { status, complete: true, durationMs: round(durationMs) };
      log.info({ requestId, method, path: redactSecrets(path), ...ending, ...notes }, 'request');
    },
  };
}

/** Probes come every few seconds for ever; a line for each helps no one. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Keys belong into no address, and some put theirs there. */
function hideKeys(path: string, ofEndpoint: string): string {
  return path === ofEndpoint ? path : redactSecrets(path);
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
