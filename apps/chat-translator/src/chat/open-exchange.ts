import { NO_USAGE } from '@weir/canonical';
import type { Attempt, UsageStatus } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { urlOfCall } from '@weir/providers';
import { readLimited, type UpstreamResponse } from '@weir/upstream-http';
import type { OpenAttempt, Till } from '@weir/usage-journal';
import { ClientGone, type ChatSession } from './chat-session';
import { chooseLane, type Lane, type LaneMap } from './choose-lane';
import { estimateTokens } from './estimate-tokens';

/** A provider that has begun to answer with success. Whoever holds it must settle its till. */
export type OpenExchange = {
  readonly lane: Lane;
  readonly upstream: UpstreamResponse;
  readonly till: OpenAttempt;
  /** For when the provider never tells. */
  readonly promptEstimate: number;
};

export type ExpressExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'express' }> };
export type TranslatedExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'translated' }> };

export function isExpress(exchange: OpenExchange): exchange is ExpressExchange {
  return exchange.lane.kind === 'express';
}

export type ExchangeParts = LaneMap & {
  readonly till: Till;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
};

const ERROR_BODY_BYTES_MAX = 64 * 1024;

/**
 * Sends one attempt. Its journal record is begun before the first byte leaves, so that nothing dispatched goes
 * uncounted; a failure settles it. Rejects with the error the caller should get, nothing having been sent to them.
 */
export async function openExchange(
  session: ChatSession,
  { attempt, index }: { attempt: Attempt; index: number },
  parts: ExchangeParts,
): Promise<OpenExchange> {
  const lane = chooseLane(session, attempt, parts);
  if (session.isClientGone()) throw new ClientGone();
  const authorization = await lane.provider.authorize(lane.call, lane.target);
  const promptEstimate = estimateTokens(session.work.body.length);
  const till = parts.till.openAttempt(session.work.passport, index, promptEstimate);
  try {
    const upstream = await lane.provider.transport({
      method: 'POST',
      url: urlOfCall(lane.provider, lane.call),
      headers: { 'content-type': 'application/json', ...lane.call.headers, ...authorization },
      body: lane.call.body,
      signal: session.signal,
      headersTimeoutMs: parts.headersTimeoutMs,
      idleTimeoutMs: parts.idleTimeoutMs,
    });
    if (upstream.status >= 200 && upstream.status < 300) return { lane, upstream, till, promptEstimate };
    throw await readFailure(lane, upstream);
  } catch (error) {
    till.close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) });
    throw error;
  }
}

async function readFailure(lane: Lane, upstream: UpstreamResponse): Promise<GatewayError> {
  const text = await readLimited(upstream.body, ERROR_BODY_BYTES_MAX).then(
    (bytes) => bytes.toString('utf8'),
    () => '', // the status alone still says what happened
  );
  return lane.provider.readError(upstream.status, upstream.headers, text);
}

/** How a failed attempt is told in its usage event. */
export function describeFailure(error: unknown): {
  status: UsageStatus;
  httpStatus: number | null;
  errorOrigin: 'router' | 'provider' | null;
} {
  if (error instanceof ClientGone) return { status: 'client_closed', httpStatus: null, errorOrigin: null };
  if (!(error instanceof GatewayError)) return { status: 'upstream_error', httpStatus: null, errorOrigin: 'router' };
  const httpStatus = error.details.upstream?.status ?? null;
  if (error.code === 'provider_timeout') return { status: 'timeout', httpStatus, errorOrigin: 'provider' };
  if (error.code === 'provider_stream_cut') return { status: 'upstream_cut', httpStatus, errorOrigin: 'provider' };
  return { status: 'upstream_error', httpStatus, errorOrigin: error.origin };
}
