import { removeMember } from '../../identity/offboard-member';
import { addGroupMember } from '../../routes/groups/add-group-member.route';
import { createGroup } from '../../routes/groups/create-group.route';
import { deleteGroup } from '../../routes/groups/delete-group.route';
import { removeGroupMember } from '../../routes/groups/remove-group-member.route';
import { setGroupAccessList } from '../../routes/groups/set-group-access-list.route';
import { setGroupBudget } from '../../routes/groups/set-group-budget.route';
import { setGroupLabels } from '../../routes/groups/set-group-labels.route';
import { setGroupMemberBudget } from '../../routes/groups/set-group-member-budget.route';
import { setGroupMemberLimit } from '../../routes/groups/set-group-member-limit.route';
import { setGroupMemberRateLimit } from '../../routes/groups/set-group-member-rate-limit.route';
import { setGroupMemberRole } from '../../routes/groups/set-group-member-role.route';
import { setGroupUserBudget } from '../../routes/groups/set-group-user-budget.route';
import { updateGroup } from '../../routes/groups/update-group.route';
import { addMember } from '../../routes/members/add-member.route';
import { setMemberRole } from '../../routes/members/set-member-role.route';
import type { Step } from '@weir/configuration';
import { callForFields, callRoute, idOf, withIds, type KindSteps, type StepTools } from './carry-out';

/** At the identity provider they are added and removed once everything here is done. */
export const memberSteps: KindSteps = {
  create: async (step, tools) => {
    const { member } = await callRoute(tools, addMember, { body: step.fields });
    return { id: String((member as { readonly user_id: unknown }).user_id) };
  },
  update: async (step, tools) => void (await callRoute(tools, setMemberRole, { params: { id: idOf(step) }, body: step.fields })),
  remove: async (step, tools) => void (await removeMember(tools.parts, { ...tools.call, userId: idOf(step) })),
};

export const groupSteps: KindSteps = {
  create: async (step, tools) => {
    const { name, monthly_limit: limit, ...rest } = step.fields;
    const body = { name, ...(limit === undefined ? {} : { monthly_limit: limit }) };
    const id = String((await callRoute(tools, createGroup, { body }))['group_id']);
    await changeGroup({ ...step, id, fields: rest }, tools);
    return { id };
  },
  update: (step, tools) => changeGroup(step, tools),
  remove: async (step, tools) => void (await callRoute(tools, deleteGroup, { params: { id: idOf(step) } })),
};

async function changeGroup(step: Step, tools: StepTools): Promise<void> {
  const params = { id: idOf(step) };
  const { fields } = step;
  const only = (field: string) => ({ params, body: { [field]: fields[field] } });
  const list = () => withIds({ access_list: fields['access_list'] }, { access_list: ['access_list_id', 'access_list'] }, tools);
  await callForFields(step, [
    ['name', () => callRoute(tools, updateGroup, only('name'))],
    ['monthly_limit', () => callRoute(tools, updateGroup, only('monthly_limit'))],
    ['monthly_budget', () => callRoute(tools, setGroupBudget, only('monthly_budget'))],
    ['monthly_budget_per_user', () => callRoute(tools, setGroupUserBudget, only('monthly_budget_per_user'))],
    ['labels', () => callRoute(tools, setGroupLabels, only('labels'))],
    ['access_list', () => callRoute(tools, setGroupAccessList, { params, body: list() })],
  ]);
}

export const groupMemberSteps: KindSteps = {
  create: async (step, tools) => {
    const { group, email, role, ...rest } = step.fields;
    const id = tools.names.find('group', String(group), 'group');
    const userId = tools.names.find('member', String(email), 'email');
    await callRoute(tools, addGroupMember, { params: { id }, body: { user_id: userId, role } });
    const made = `${id}/${userId}`;
    await changeGroupMember({ ...step, id: made, fields: rest }, tools);
    return { id: made };
  },
  update: (step, tools) => changeGroupMember(step, tools),
  remove: async (step, tools) => {
    const { id, member_id: userId } = placeOf(step);
    await callRoute(tools, removeGroupMember, { params: { id }, body: { user_id: userId } });
  },
};

function placeOf(step: Step): { id: string; member_id: string } {
  const [id = '', userId = ''] = idOf(step).split('/');
  return { id, member_id: userId };
}

async function changeGroupMember(step: Step, tools: StepTools): Promise<void> {
  const params = placeOf(step);
  const only = (field: string) => ({ params, body: { [field]: step.fields[field] } });
  await callForFields(step, [
    ['role', () => callRoute(tools, setGroupMemberRole, only('role'))],
    ['monthly_limit', () => callRoute(tools, setGroupMemberLimit, only('monthly_limit'))],
    ['monthly_budget', () => callRoute(tools, setGroupMemberBudget, only('monthly_budget'))],
    ['rate_limit', () => callRoute(tools, setGroupMemberRateLimit, only('rate_limit'))],
  ]);
}
