import {
  addGroupMemberBody,
  createGroupBody,
  searchedPageParameters,
  removeGroupMemberBody,
  setAccessListBody,
  setBudgetBody,
  setLabelsBody,
  setLimitBody,
  setMemberRoleBody,
  setRateLimitBody,
  setUserBudgetBody,
  updateGroupBody,
} from '@weir/contracts';
import type { ErrorCode } from '@weir/errors';
import type { z } from 'zod';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { createdGroup, groups, oneGroup } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

const params = { id: EXAMPLE_IDS.group };
const ONLY_GROUP_MODE = 'For organizations in Group Budget mode; 409 in Global mode.';

type Setting = {
  id: string;
  summary: string;
  about?: string;
  name: string;
  body: z.ZodType;
  example: object;
  errors?: readonly ErrorCode[];
};

function setting({ id, summary, name, body, example, ...more }: Setting): Operation {
  return {
    id,
    tag: 'Groups',
    summary,
    body: nameRequest(name, body),
    responses: { 204: { about: 'Changed.' } },
    examples: [{ summary, params, body: example, status: 204 }],
    ...more,
  };
}

/** Endpoints about one member of a group return the changed group. */
function memberSetting({ id, summary, name, body, example, ...more }: Setting): Operation {
  return {
    id,
    tag: 'Groups',
    summary,
    body: nameRequest(name, body),
    responses: { 200: { about: 'The changed group.', json: oneGroup } },
    examples: [{ summary, params: { ...params, member_id: EXAMPLE_IDS.groupMember }, body: example, status: 200 }],
    ...more,
  };
}

export const GROUP_OPERATIONS: readonly Operation[] = [
  {
    id: 'create-group',
    tag: 'Groups',
    summary: 'Create a group',
    about:
      '`monthly_limit` is the group’s total in Group Budget mode, each member’s limit in Global mode. Groups and access lists are created with 200, everything else with 201.',
    body: nameRequest('CreateGroup', createGroupBody),
    responses: { 200: { about: 'Created.', json: createdGroup } },
    errors: ['conflict'],
    examples: [{ summary: 'A team', body: { name: 'Search', monthly_limit: 500 }, status: 200 }],
  },
  {
    id: 'list-groups',
    tag: 'Groups',
    summary: 'List groups',
    query: searchedPageParameters,
    responses: { 200: { about: 'The groups.', json: groups } },
    examples: [{ summary: 'All of them', status: 200 }],
  },
  {
    id: 'read-group',
    tag: 'Groups',
    summary: 'Read a group with its members',
    responses: { 200: { about: 'The group.', json: oneGroup } },
    examples: [{ summary: 'One', params, status: 200 }],
  },
  {
    id: 'update-group',
    tag: 'Groups',
    summary: 'Rename a group or change its limit',
    body: nameRequest('UpdateGroup', updateGroupBody),
    isBodyOptional: true,
    responses: { 200: { about: 'The changed group.', json: oneGroup } },
    errors: ['conflict'],
    examples: [{ summary: 'Another limit', params, body: { monthly_limit: 750 }, status: 200 }],
  },
  {
    id: 'delete-group',
    tag: 'Groups',
    summary: 'Delete a group',
    about: 'Refused with 409 while keys are in it.',
    responses: { 204: { about: 'Deleted.' } },
    errors: ['conflict'],
    examples: [{ summary: 'One without keys', params: { id: EXAMPLE_IDS.unusedGroup }, status: 204 }],
  },
  setting({
    ...{ id: 'set-group-labels', summary: 'Replace the labels of a group', name: 'SetGroupLabels', body: setLabelsBody.clone() },
    example: { labels: { department: 'research' } },
  }),
  setting({
    ...{
      id: 'set-group-access-list',
      summary: 'Attach an access list to a group',
      name: 'SetGroupAccessList',
      body: setAccessListBody.clone(),
    },
    example: { access_list_id: EXAMPLE_IDS.accessList },
  }),
  setting({
    ...{ id: 'set-group-budget', summary: 'Set the budget of a group', name: 'SetGroupBudget', body: setBudgetBody },
    ...{ about: ONLY_GROUP_MODE, errors: ['conflict'], example: { monthly_budget: 1000 } },
  }),
  setting({
    ...{
      id: 'set-group-user-budget',
      summary: 'Set the budget of each member of a group',
      name: 'SetGroupUserBudget',
      body: setUserBudgetBody,
    },
    ...{ about: ONLY_GROUP_MODE, errors: ['conflict'], example: { monthly_budget_per_user: 50 } },
  }),
  {
    id: 'add-group-member',
    tag: 'Groups',
    summary: 'Add a member to a group',
    about: 'A member of the organization; one who is in the group already gets the role. Administrators of the group add plain members.',
    body: nameRequest('AddGroupMember', addGroupMemberBody),
    responses: { 200: { about: 'The changed group.', json: oneGroup } },
    examples: [{ summary: 'As a member', params, body: { user_id: EXAMPLE_IDS.member, role: 'member' }, status: 200 }],
  },
  {
    id: 'remove-group-member',
    tag: 'Groups',
    summary: 'Remove a member from a group',
    body: nameRequest('RemoveGroupMember', removeGroupMemberBody),
    responses: { 200: { about: 'The changed group.', json: oneGroup } },
    examples: [{ summary: 'One', params, body: { user_id: EXAMPLE_IDS.groupMember }, status: 200 }],
  },
  memberSetting({
    ...{ id: 'set-group-member-role', summary: 'Change the role of a member', name: 'SetMemberRole', body: setMemberRoleBody },
    example: { role: 'admin' },
  }),
  memberSetting({
    ...{ id: 'set-group-member-limit', summary: 'Set the monthly limit of a member', name: 'SetMemberLimit', body: setLimitBody.clone() },
    about:
      'In place of the group’s; 0 is unlimited, null is the group’s again. In Group Budget mode use the budget instead. Administrators of the group stay within what the group has.',
    example: { monthly_limit: 20 },
  }),
  memberSetting({
    ...{ id: 'set-group-member-rate-limit', summary: 'Set the rate limit of a member', name: 'SetMemberRateLimit', body: setRateLimitBody },
    about: 'Requests a minute over all keys of the member; null or 0 means unlimited.',
    example: { rate_limit: 60 },
  }),
  memberSetting({
    ...{ id: 'set-group-member-budget', summary: 'Set the budget of a member', name: 'SetMemberBudget', body: setBudgetBody.clone() },
    about: `In place of the group’s budget per user; 0 is unlimited, null is the group’s again. ${ONLY_GROUP_MODE}`,
    ...{ errors: ['conflict'], example: { monthly_budget: 75 } },
  }),
];
