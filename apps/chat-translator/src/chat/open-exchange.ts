import { NO_USAGE } from '@weir/canonical';
import type { Attempt, UsageStatus } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { endsRequest } from '@weir/routing';
import type { UpstreamResponse } from '@weir/upstream-http';
import type { OpenAttempt, Till } from '@weir/usage-journal';
import { ClientGone, type ChatSession } from './chat-session';
import { chooseLane, type Lane, type LaneMap } from './choose-lane';
import { dispatchCall, isSuccess, readFailure, type CallTimeouts } from './dispatch-call';
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

export type ExchangeParts = LaneMap & CallTimeouts & { readonly till: Till };

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
    const upstream = await dispatchCall({ provider: lane.provider, call: lane.call, authorization }, parts, session.signal);
    if (isSuccess(upstream)) return { lane, upstream, till, promptEstimate };
    throw await readFailure(lane.provider, upstream);
  } catch (error) {
    const isLogical = endsRequest(error, { index, count: session.work.passport.attempts.length });
    till.close({ usage: NO_USAGE, isLogical, ...describeFailure(error) });
    throw error;
  }
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
