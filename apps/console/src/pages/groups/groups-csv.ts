import type { CsvColumn } from '../../format/csv';
import { writeLabels, writeLimit, writeSpend } from '../administration/csv-values';
import type { Group, GroupDetail, GroupMember } from '../administration/lists';
import { boundOf, perMemberOf, totalOf } from './budgets';

export function listGroupCsv(nameOf: (accessListId: string) => string): readonly CsvColumn<Group>[] {
  return [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['monthly_spend_usd', (group) => writeSpend(group.monthly_spend)],
    ['monthly_budget_usd', (group) => writeLimit(totalOf(group))],
    ['each_member_usd', (group) => writeLimit(perMemberOf(group))],
    ['members', (group) => group.members_count],
    ['labels', ({ labels }) => writeLabels(labels)],
    ['access_list_id', (group) => group.access_list_id],
    ['access_list_name', ({ access_list_id: id }) => (id === null ? null : nameOf(id))],
  ];
}

export function listGroupMemberCsv(group: GroupDetail): readonly CsvColumn<GroupMember>[] {
  return [
    ['id', ({ id }) => id],
    ['email', ({ email }) => email],
    ['role', ({ role }) => role],
    ['active', ({ active }) => active],
    ['monthly_spend_usd', (member) => writeSpend(member.monthly_spend)],
    ['monthly_limit_usd', (member) => writeLimit(boundOf(group, member).limit)],
    ['requests_a_minute', ({ rate_limit: rate }) => (rate === 0 ? null : rate)],
  ];
}
