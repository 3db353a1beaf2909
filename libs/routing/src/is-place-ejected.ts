import type { Attempt } from '@weir/contracts';
import { routeOf } from './health/route-key';
import type { RoutingMap } from './resolve/routing-map';

/** Whether all that an attempt could be sent by is left out for a while. */
export function isPlaceEjected(attempt: Attempt, { accounts, health }: Pick<RoutingMap, 'accounts' | 'health'>): boolean {
  if (health === undefined) return false;
  const all = accounts?.of(attempt.providerId) ?? [];
  if (all.length < 2) return health.isEjected(routeOf(attempt));
  return all.every(({ id }) => health.isEjected(routeOf({ ...attempt, accountId: id })));
}
