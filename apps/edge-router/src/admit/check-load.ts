import type { Principal } from '@weir/access';
import type { Attempt } from '@weir/contracts';
import type { RequestScope } from '@weir/http-server';

/** Throws `overloaded` when the gateway has too much to do for a request of this importance: free models wait first, then those who never paid. */
export function checkLoad(scope: RequestScope, { key }: Principal, attempts: readonly Attempt[]): void {
  // Those who pay were asked when their request arrived.
  if (scope.checkLoad === undefined) return;
  if (attempts.every(({ isFree }) => isFree)) scope.checkLoad('free');
  else if (key.organization.tier === 'free') scope.checkLoad('unpaid');
}
