import type { CsvColumn } from '../../format/csv';
import { writeLabels, writeLimit, writeSpend } from '../administration/csv-values';
import type { Key } from '../administration/lists';

type Names = { readonly groups: ReadonlyMap<string, string>; readonly accessLists: ReadonlyMap<string, string> };

export function listKeyCsv({ groups, accessLists }: Names): readonly CsvColumn<Key>[] {
  return [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['begins_with', ({ prefix }) => prefix],
    ['ends_with', ({ last4 }) => last4],
    ['status', ({ status }) => status],
    ['member_id', (key) => key.created_by?.id],
    ['member_email', (key) => key.created_by?.email],
    ['group_id', ({ group }) => group?.id],
    ['group_name', ({ group }) => (group === null ? null : groups.get(group.id))],
    ['monthly_spend_usd', (key) => writeSpend(key.monthly_spend)],
    ['monthly_limit_usd', (key) => writeLimit(key.monthly_limit)],
    ['labels', ({ labels }) => writeLabels(labels)],
    ['completions', ({ permissions }) => permissions.completions],
    ['manage', ({ permissions }) => permissions.manage],
    ['access_list_id', (key) => key.access_list_id],
    ['access_list_name', (key) => (key.access_list_id === null ? null : accessLists.get(key.access_list_id))],
    ['expires_at', (key) => key.expires_at],
    ['created_at', (key) => key.created_at],
    ['last_used_at', (key) => key.last_used_at],
  ];
}
