import type { ServerMetrics } from '@weir/telemetry';
import type { Socket } from 'node:net';
import { closeAfterResponse } from './end-connections';
import type { ServedRequest } from '../requests/request-scope';

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

/** A request under way, and how far its client has come. */
export type WatchedClient = ServedRequest & { readonly client: ClientProgress };

export type ClientProgress = { readonly bytesAtStart: number; bytesWritten: number; stalledSinceMs: number | undefined };

type WatchParts = {
  readonly limits: SlowClientLimits;
  readonly metrics: ServerMetrics | undefined;
  /** The requests under way at the time. */
  readonly running: Iterable<WatchedClient>;
};

/** Cuts off clients that send a body, or read a reply, too slowly: both keep memory and capacity that others wait for. */
export function createSlowClientWatch({ limits, metrics, running }: WatchParts): { close(): void } {
  const look = (): void => {
    const nowMs = performance.now();
    for (const served of running) {
      if (!served.request.complete && isTooSlow(served, nowMs)) {
        metrics?.slowClientCut('body');
        cutSender(served);
      } else if (isStalled(served, nowMs)) {
        metrics?.slowClientCut('reader');
        served.scope.notes.error = 'slow_reader';
        served.response.destroy();
      }
    }
  };
  const timer = setInterval(look, limits.checkEveryMs).unref();

  const isTooSlow = ({ request, scope, client }: WatchedClient, nowMs: number): boolean => {
    const elapsedMs = nowMs - scope.startedMonotonicMs;
    const isUpload = scope.endpoint.body !== 'json' && scope.endpoint.body !== 'none';
    if (!isUpload) return elapsedMs > limits.bodyMs;
    if (elapsedMs > limits.uploadMs) return true;
    const bytes = request.socket.bytesRead - client.bytesAtStart;
    return elapsedMs > limits.headMs && (bytes * 1000) / elapsedMs < limits.uploadBytesPerSecondMin;
  };

  const isStalled = ({ response, client }: WatchedClient, nowMs: number): boolean => {
    const written = response.socket?.bytesWritten ?? 0;
    const waits = response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;
    const taken = written - (response.socket?.writableLength ?? 0);
    if (!waits || taken !== client.bytesWritten) {
      client.bytesWritten = taken;
      client.stalledSinceMs = waits ? nowMs : undefined;
      return false;
    }
    client.stalledSinceMs ??= nowMs;
    return nowMs - client.stalledSinceMs >= limits.readerStallMs;
  };

  return { close: () => clearInterval(timer) };
}

export function startProgress(socket: Socket): ClientProgress {
  return { bytesAtStart: socket.bytesRead, bytesWritten: 0, stalledSinceMs: undefined };
}

/** Sends what node itself sends for a request that takes too long. */
function cutSender({ request, response, scope }: ServedRequest): void {
  scope.notes.error = 'slow_sender';
  const { socket } = request;
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  closeAfterResponse(response);
  response.writeHead(408, { 'content-length': 0 });
  // Node stops reading a request that has its response: its reader would never learn of the end.
  socket.once('close', () => request.destroy());
  response.end(() => socket.destroySoon());
}
