import { COUNTING_ENDPOINTS, type Attempt, type Passport, type UsageStatus } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { DAY_MS, periodStart } from '@weir/usage';
import type { FreeSlot } from './free-model-days';

/** Requests to free models per UTC day, over all of them; an organization that has ever paid gets more. */
export function freeModelLimit(tier: 'free' | 'paying'): number {
  return tier === 'paying' ? 1_000 : 200;
}

/** The refusal beyond the limit; it may be tried again when the UTC day is over. */
export function refuseFreeModel(limit: number, nowMs: number): GatewayError {
  const endsAtMs = periodStart('day', nowMs) + DAY_MS;
  const reported = {
    ...{ id: null, name: 'requests to free models', scope: 'organization', measure: 'requests', window: 'day' },
    ...{ limit: String(limit), used: String(limit), remaining: '0', asked: '1', frees_at: new Date(endsAtMs).toISOString() },
  };
  return new GatewayError(
    'rate_limited',
    `This organization has used its ${limit.toLocaleString('en-US')} requests to free models of this UTC day. Use a model that is not free, or wait for the next day, which begins at 00:00 UTC.`,
    { retryAfterSeconds: Math.ceil((endsAtMs - nowMs) / 1000), limit: reported },
  );
}

/**
 * Whether an attempt at a free model uses its slot up: it was answered, or the caller left, or something was generated.
 * One that failed without a token gives the slot back.
 */
export function usesFreeSlot({ status, outputTokens }: { status: UsageStatus; outputTokens: number }): boolean {
  return status === 'ok' || status === 'client_closed' || outputTokens > 0;
}

export type SlottedRequest = Pick<Passport, 'endpointId' | 'admittedAtMs' | 'requestId'> & {
  readonly attempts: readonly Pick<Attempt, 'isFree' | 'isByok'>[];
  readonly caller: Pick<Passport['caller'], 'organizationId'>;
};

/** The slot a request needs, which may be served by a free model; undefined when it needs none. */
export function findFreeSlot({ endpointId, attempts, caller, admittedAtMs, requestId }: SlottedRequest): FreeSlot | undefined {
  if (COUNTING_ENDPOINTS.has(endpointId) || !attempts.some(({ isFree, isByok }) => isFree && !isByok)) return undefined;
  return { organizationId: caller.organizationId, dayMs: periodStart('day', admittedAtMs), requestId };
}
