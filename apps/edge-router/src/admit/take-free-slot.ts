import type { Principal } from '@weir/access';
import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { findFreeSlot, freeModelLimit, refuseFreeModel, type FreeModelDays, type FreeSlot, type SlottedRequest } from '@weir/limits';
import type { RequestHolds } from './holds/request-holds';
import { timeToBegin } from './holds/time-to-begin';

export type FreeSlotParts = {
  readonly freeModelDays: FreeModelDays;
  readonly holds: Pick<RequestHolds, 'decideWithout'>;
  readonly now: () => number;
};

type FreeSlotAsk = {
  readonly principal: Principal;
  readonly passport: Passport;
  /** Of the reply. */
  readonly setHeader: (name: string, value: string) => void;
};

/**
 * Takes a request's slot in its organization's free-model day, when it may go to a free model, and notes in the passport
 * by when it must be begun; returns undefined when it needs none. Rejects with `rate_limited` when the day is used up,
 * and with `dependency_down` when it cannot be counted, unless the organization would rather go on without limits.
 */
export function takeFreeSlot(ask: FreeSlotAsk, parts: FreeSlotParts): undefined | Promise<FreeSlot> {
  const slot = findFreeSlot(ask.passport);
  return slot === undefined ? undefined : takeSlot(slot, ask, parts);
}

async function takeSlot(slot: FreeSlot, { principal, passport, setHeader }: FreeSlotAsk, parts: FreeSlotParts): Promise<FreeSlot> {
  const limit = freeModelLimit(principal.key.organization.tier);
  // Of the moment before it is taken: however late the reply is read, the slot has not begun to expire earlier.
  const beginByMs = timeToBegin(parts.now(), parts.freeModelDays.keptMs);
  const verdict = await parts.freeModelDays.take(slot, limit).catch((error: unknown) => {
    try {
      parts.holds.decideWithout(error, { principal, setHeader });
    } catch (refusal) {
      // An answer that came too late may have taken it all the same.
      void parts.freeModelDays.giveBack(slot).catch(() => undefined);
      throw refusal;
    }
    return { isAllowed: true };
  });
  if (!verdict.isAllowed) throw refuseFreeModel(limit, parts.now());
  passport.freePlaceByMs = beginByMs;
  return slot;
}

/** The refusal that a request would get now for want of a slot; takes none. Throws `dependency_down` when that cannot be known. */
export async function previewFreeSlot(
  { key }: Principal,
  request: Omit<SlottedRequest, 'requestId' | 'caller'>,
  { freeModelDays, now }: Pick<FreeSlotParts, 'freeModelDays' | 'now'>,
): Promise<GatewayError | null> {
  const slot = findFreeSlot({ ...request, requestId: '', caller: key });
  if (slot === undefined) return null;
  const limit = freeModelLimit(key.organization.tier);
  const used = await freeModelDays.readUsed(slot).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'Limits cannot be read at the moment. Try again shortly.', { cause, retryAfterSeconds: 5 });
  });
  return used < limit ? null : refuseFreeModel(limit, now());
}
