import type { Principal } from '@weir/access';
import type { Passport } from '@weir/contracts';

/** Who calls, as workers and usage events are told. */
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
