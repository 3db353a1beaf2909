import type { OrganizationRulesCache, Principal } from '@weir/access';
import type { ModelRecord } from '@weir/model-catalog';
import { NO_ROUTES, readRoutes, widenMap, type OrganizationRoutes, type RoutingMap } from '@weir/routing';
import type { DataGuard } from '../data-rules/data-guard';
import type { OwnKeys } from '../own-keys/create-own-keys';

type ReachParts = {
  readonly map: RoutingMap;
  readonly rules: Pick<OrganizationRulesCache, 'find'>;
  readonly ownKeys: OwnKeys;
  readonly dataGuard: Pick<DataGuard, 'isAllowed'>;
};

export type Reach = {
  /** With the organization's own provider keys. */
  readonly map: RoutingMap;
  /** The organization's aliases and policies. */
  readonly routes: OrganizationRoutes;
  /** Whether the organization may send its data to a model. */
  readonly mayHaveData: (record: ModelRecord) => boolean;
};

/** What a caller's organization reaches here; without a caller, what this gateway reaches by itself. */
export type ReachModels = (principal: Principal | undefined) => Promise<Reach>;

export function createReachModels({ map, rules, ownKeys, dataGuard }: ReachParts): ReachModels {
  return async (principal) => {
    if (principal === undefined) return { map, routes: NO_ROUTES, mayHaveData: () => true };
    const { organizationId, organization } = principal.key;
    const found = await rules.find(principal.key);
    return {
      map: widenMap(map, await ownKeys.find(organizationId, found)),
      routes: readRoutes(found),
      mayHaveData: (record) => dataGuard.isAllowed(organization, record),
    };
  };
}
