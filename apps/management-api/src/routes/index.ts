import { createAccessList } from './access-lists/create-access-list.route';
import { deleteAccessList } from './access-lists/delete-access-list.route';
import { listAccessLists } from './access-lists/list-access-lists.route';
import { readAccessList } from './access-lists/read-access-list.route';
import { updateAccessList } from './access-lists/update-access-list.route';
import { createApiKey } from './api-keys/create-api-key.route';
import { listApiKeys } from './api-keys/list-api-keys.route';
import { readApiKeyUsage } from './api-keys/read-api-key-usage.route';
import { readApiKey } from './api-keys/read-api-key.route';
import { readCallingApiKeyUsage } from './api-keys/read-calling-api-key-usage.route';
import { readCallingApiKey } from './api-keys/read-calling-api-key.route';
import { revokeApiKey } from './api-keys/revoke-api-key.route';
import { rotateApiKey } from './api-keys/rotate-api-key.route';
import { setApiKeyAccessList } from './api-keys/set-api-key-access-list.route';
import { setApiKeyExpiry } from './api-keys/set-api-key-expiry.route';
import { setApiKeyGroup } from './api-keys/set-api-key-group.route';
import { setApiKeyLabels } from './api-keys/set-api-key-labels.route';
import { setApiKeyLimit } from './api-keys/set-api-key-limit.route';
import { addGroupMember } from './groups/add-group-member.route';
import { createGroup } from './groups/create-group.route';
import { deleteGroup } from './groups/delete-group.route';
import { listGroups } from './groups/list-groups.route';
import { readGroup } from './groups/read-group.route';
import { removeGroupMember } from './groups/remove-group-member.route';
import { setGroupAccessList } from './groups/set-group-access-list.route';
import { setGroupBudget } from './groups/set-group-budget.route';
import { setGroupLabels } from './groups/set-group-labels.route';
import { setGroupMemberBudget } from './groups/set-group-member-budget.route';
import { setGroupMemberLimit } from './groups/set-group-member-limit.route';
import { setGroupMemberRateLimit } from './groups/set-group-member-rate-limit.route';
import { setGroupMemberRole } from './groups/set-group-member-role.route';
import { setGroupUserBudget } from './groups/set-group-user-budget.route';
import { updateGroup } from './groups/update-group.route';
import { addMember } from './members/add-member.route';
import { listMembers } from './members/list-members.route';
import { offboardMember } from './members/offboard-member.route';
import { listAudit } from './organization/list-audit.route';
import { readOrganization } from './organization/read-organization.route';
import { updateOrganization } from './organization/update-organization.route';
import { readOrganizationUsage } from './usage/read-organization-usage.route';
import type { Route } from '../route';

/** The address book: every route of the management interface. */
export const ROUTES: readonly Route[] = [
  createAccessList,
  deleteAccessList,
  listAccessLists,
  readAccessList,
  updateAccessList,
  createApiKey,
  listApiKeys,
  readApiKeyUsage,
  readApiKey,
  readCallingApiKeyUsage,
  readCallingApiKey,
  revokeApiKey,
  rotateApiKey,
  setApiKeyAccessList,
  setApiKeyExpiry,
  setApiKeyGroup,
  setApiKeyLabels,
  setApiKeyLimit,
  addGroupMember,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
  removeGroupMember,
  setGroupAccessList,
  setGroupBudget,
  setGroupLabels,
  setGroupMemberBudget,
  setGroupMemberLimit,
  setGroupMemberRateLimit,
  setGroupMemberRole,
  setGroupUserBudget,
  updateGroup,
  addMember,
  listMembers,
  offboardMember,
  listAudit,
  readOrganization,
  updateOrganization,
  readOrganizationUsage,
];
