import type { UsageStatus } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { ClientGone } from './watched-request';

/** How an attempt ended, in the words of its usage event. */
export type Outcome = {
  readonly status: UsageStatus;
  readonly httpStatus: number | null;
  readonly errorOrigin: 'router' | 'provider' | null;
  /** Of the error catalogue. */
  readonly errorCode?: string;
};

export const OK: Outcome = { status: 'ok', httpStatus: 200, errorOrigin: null };
/** Its caller left before the end. */
export const CLIENT_CLOSED: Outcome = { status: 'client_closed', httpStatus: 200, errorOrigin: null };

/** What to throw where a stream ended in order, but too early. */
export function describeCut(): GatewayError {
  return new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete. Try again.');
}

/** How a failed attempt is described in its usage event. */
export function describeFailure(error: unknown): Outcome {
  if (error instanceof ClientGone) return { status: 'client_closed', httpStatus: null, errorOrigin: null };
  if (!(error instanceof GatewayError)) return { status: 'upstream_error', httpStatus: null, errorOrigin: 'router' };
  const { code: errorCode, details, origin: errorOrigin } = error;
  const reported = { httpStatus: details.upstream?.status ?? null, errorOrigin, errorCode };
  if (errorCode === 'provider_timeout') return { status: 'timeout', ...reported };
  if (errorCode === 'provider_stream_cut') return { status: 'upstream_cut', ...reported };
  if (errorCode === 'guardrail_blocked') return { status: 'refused_midstream', ...reported };
  return { status: 'upstream_error', ...reported };
}
