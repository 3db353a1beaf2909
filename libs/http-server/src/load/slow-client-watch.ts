import type { ServerMetrics } from '@weir/telemetry';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterResponse } from '../end-connections';
import type { RequestScope } from '../request-scope';

/** How slow a client may be. */
export type SlowClientLimits = {
  /** Until the head of a request is complete. */
  readonly headMs: number;
  /** Until a body is complete that is no upload. */
  readonly bodyMs: number;
  readonly uploadMs: number;
  /** An upload may not be slower than this on the whole. */
  readonly uploadBytesPerSecondMin: number;
  /** How long a reader may take nothing of a reply that waits for it. */
  readonly readerStallMs: number;
  readonly checkEveryMs: number;
};

export const SLOW_CLIENT_LIMITS: SlowClientLimits = {
  headMs: 10_000,
  bodyMs: 60_000,
  uploadMs: 300_000,
  uploadBytesPerSecondMin: 8 * 1024,
  readerStallMs: 120_000,
  checkEveryMs: 5_000,
};

export type WatchedExchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };

export type SlowClientWatch = { add(exchange: WatchedExchange): void; remove(exchange: WatchedExchange): void; close(): void };

type Watched = { readonly bytesAtStart: number; bytesWritten: number; stalledSinceMs: number | undefined };

/** Cuts off clients that send a body, or read a reply, too slowly: both keep memory and places that others wait for. */
export function createSlowClientWatch(limits: SlowClientLimits, metrics: ServerMetrics | undefined): SlowClientWatch {
  const watched = new Map<WatchedExchange, Watched>();
  const look = (): void => {
    const nowMs = performance.now();
    for (const [exchange, entry] of watched) {
      if (!exchange.request.complete && isTooSlow(exchange, entry, nowMs)) {
        metrics?.slowClientCut('body');
        cutSender(exchange);
      } else if (isStalled(exchange, entry, nowMs)) {
        metrics?.slowClientCut('reader');
        exchange.scope.notes['error'] = 'slow_reader';
        exchange.response.destroy();
      }
    }
  };
  const timer = setInterval(look, limits.checkEveryMs).unref();

  const isTooSlow = ({ request, scope }: WatchedExchange, entry: Watched, nowMs: number): boolean => {
    const elapsedMs = nowMs - scope.startedMonotonicMs;
    const isUpload = scope.endpoint.body !== 'json' && scope.endpoint.body !== 'none';
    if (!isUpload) return elapsedMs > limits.bodyMs;
    if (elapsedMs > limits.uploadMs) return true;
    const bytes = request.socket.bytesRead - entry.bytesAtStart;
    return elapsedMs > limits.headMs && (bytes * 1000) / elapsedMs < limits.uploadBytesPerSecondMin;
  };

  const isStalled = ({ response }: WatchedExchange, entry: Watched, nowMs: number): boolean => {
    const written = response.socket?.bytesWritten ?? 0;
    const waits = response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;
    const taken = written - (response.socket?.writableLength ?? 0);
    if (!waits || taken !== entry.bytesWritten) {
      entry.bytesWritten = taken;
      entry.stalledSinceMs = waits ? nowMs : undefined;
      return false;
    }
    entry.stalledSinceMs ??= nowMs;
    return nowMs - entry.stalledSinceMs >= limits.readerStallMs;
  };

  return {
    add: (exchange) => void watched.set(exchange, startEntry(exchange.request.socket)),
    remove: (exchange) => void watched.delete(exchange),
    close: () => clearInterval(timer),
  };
}

function startEntry(socket: Socket): Watched {
  return { bytesAtStart: socket.bytesRead, bytesWritten: 0, stalledSinceMs: undefined };
}

/** As node itself answers a request that takes too long. */
function cutSender({ request, response, scope }: WatchedExchange): void {
  scope.notes['error'] = 'slow_sender';
  const { socket } = request;
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  closeAfterResponse(response);
  response.writeHead(408, { 'content-length': 0 });
  // Node lets go of a request that has its answer: whoever still reads it would never hear of its end.
  socket.once('close', () => request.destroy());
  response.end(() => socket.destroySoon());
}
