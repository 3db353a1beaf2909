import { describeAccessList, listAccessLists } from '../../records/access-lists';
import { listApiKeys, type ApiKeyRow } from '../../records/api-keys';
import { readLabels } from '../../records/label-sets';
import { limitToUsd } from '../../records/usd';
import { EVERYTHING } from '../../records/pages';
import type { FoundObject, Reading } from './found-object';

const EVERYONE = { kind: 'organization-admin', userId: null } as const;

/** Access lists, and keys in force. */
export async function readKeysAndLists({ tx, organizationId }: Reading): Promise<FoundObject[]> {
  const lists = await listAccessLists(tx, organizationId, EVERYTHING);
  const keys = await listApiKeys(tx, { organizationId, authority: EVERYONE, state: 'active' }, EVERYTHING);
  return [
    ...lists.map((list): FoundObject => {
      const { id, organization_id: _, ...fields } = describeAccessList(list);
      return { kind: 'access_list', id, ownName: list.name, fields };
    }),
    ...keys.map(describeKey),
  ];
}

function describeKey(key: ApiKeyRow): FoundObject {
  return {
    ...{ kind: 'key', id: key.id, ownName: key.name },
    fields: {
      name: key.name,
      monthly_limit: limitToUsd(key.monthlyLimitPico),
      permissions: { manage: key.permManage, completions: key.permCompletions, contents: key.permContents },
      labels: readLabels(key.labelSet),
      priority: key.priority,
      share: key.share,
      member: key.userId,
      group: key.groupId,
      access_list: key.accessListId,
      expires_at: key.expiresAt?.toISOString() ?? null,
    },
    references: { member: 'member', group: 'group', access_list: 'access_list' },
  };
}
