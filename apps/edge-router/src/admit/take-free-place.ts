import type { Principal } from '@weir/access';
import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { findFreePlace, freeModelLimit, refuseFreeModel, type FreeModelDays, type FreePlace } from '@weir/limits';

export type FreePlaceParts = { readonly freeModelDays: FreeModelDays; readonly now: () => number };

/**
 * Takes a request's place in its organization's free-model day, when it may go to a free model; answers undefined when it
 * needs none. Throws `rate_limited` when the day is used up, and `dependency_down` when it cannot be counted, unless the
 * organization would rather go on without limits.
 */
export async function takeFreePlace({ key }: Principal, passport: Passport, parts: FreePlaceParts): Promise<FreePlace | undefined> {
  const place = findFreePlace(passport);
  if (place === undefined) return undefined;
  const limit = freeModelLimit(key.organization.tier);
  const verdict = await parts.freeModelDays.take(place, limit).catch((cause: unknown) => {
    if (key.organization.limitsUnavailable === 'allow') return { isAllowed: true };
    // An answer that came too late may have taken it all the same.
    void parts.freeModelDays.giveBack(place).catch(() => undefined);
    throw new GatewayError('dependency_down', 'Requests to free models cannot be counted at the moment. Try again shortly.', {
      cause,
      retryAfterSeconds: 5,
    });
  });
  if (!verdict.isAllowed) throw refuseFreeModel(limit, parts.now());
  return place;
}
