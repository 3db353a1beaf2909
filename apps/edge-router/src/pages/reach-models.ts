import type { OrganizationRulesCache, Principal } from '@weir/access';
import type { ModelRecord } from '@weir/model-catalog';
import { widenMap, type RoutingMap } from '@weir/routing';
import type { DataGuard } from '../data-rules/data-guard';
import type { OwnKeys } from '../own-keys/create-own-keys';

export type ReachParts = {
  readonly map: Pick<RoutingMap, 'isRoutable'>;
  readonly rules: Pick<OrganizationRulesCache, 'find'>;
  readonly ownKeys: OwnKeys;
  readonly dataGuard: Pick<DataGuard, 'isAllowed'>;
};

/** Answers which models a caller's organization reaches here, with its own provider keys too, and may send its data to. */
export type ReachModels = (principal: Principal) => Promise<(record: ModelRecord) => boolean>;

export function createReachModels({ map, rules, ownKeys, dataGuard }: ReachParts): ReachModels {
  return async ({ key }) => {
    const { organizationId, organization } = key;
    const { isRoutable } = widenMap(map, await ownKeys.find(organizationId, await rules.find(key)));
    return (record) => isRoutable(record.provider, record.modality) && dataGuard.isAllowed(organization, record);
  };
}
