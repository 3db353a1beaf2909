import type { Principal } from '@weir/access';
import type { Passport } from '@weir/contracts';

/** The caller, as it is described to workers and in usage events. */
export function describeCaller({ key }: Principal): Passport['caller'] {
  return {
    organizationId: key.organizationId,
    apiKeyId: key.apiKeyId,
    userId: key.userId,
    groupId: key.groupId,
    apiKeyLabelSetId: key.apiKeyLabelSetId,
    groupLabelSetId: key.groupLabelSetId,
  };
}
