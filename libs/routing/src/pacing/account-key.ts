import type { Attempt } from '@weir/contracts';
import { routeOf } from '../health/route-key';

/**
 * What a provider limits together: one account, in one region, for one model. Its health is kept by the route, which is the account
 * in its region. Most providers limit each model by itself; where one limits the whole account, its other models learn of it by
 * their own first refusal.
 */
export function accountKeyOf(attempt: Attempt): string {
  return `${routeOf(attempt)} ${attempt.upstreamModel}`;
}
