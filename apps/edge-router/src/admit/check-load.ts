import type { Principal } from '@weir/access';
import type { Attempt } from '@weir/contracts';
import type { RequestScope } from '@weir/http-server';

/**
 * Throws `overloaded` when the gateway has too much to do for a request of somebody who never paid. Asked as soon as the
 * caller is known: what is refused should not have cost more. Those who pay were asked when their request arrived.
 */
export function checkCallerLoad({ checkLoad }: RequestScope, { key }: Principal): void {
  if (checkLoad !== undefined && key.organization.tier === 'free') checkLoad('unpaid');
}

/** The same for a request that can go to free models only, which is known when it is known where it goes. */
export function checkPlanLoad({ checkLoad }: RequestScope, attempts: readonly Attempt[]): void {
  if (checkLoad !== undefined && attempts.every(({ isFree }) => isFree)) checkLoad('free');
}
