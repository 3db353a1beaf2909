import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import {
  scimDescription,
  scimDescriptions,
  scimGroup,
  scimGroupBody,
  scimGroups,
  scimListQuery,
  scimPatchBody,
  scimSearchBody,
  scimSelection,
  scimUser,
  scimUserBody,
  scimUsers,
} from '../schemas/management/provisioning';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const tag = 'Provisioning' as const;
const user = { about: 'The member.', json: scimUser, headers: ['etag'] } as const;
const group = { about: 'The group.', json: scimGroup, headers: ['etag'] } as const;
const known = { about: 'The client has this version already.', headers: ['etag'] } as const;
const newest = ' With `If-Match` only the version is changed that the client has read.';

const DISCOVERY: readonly Operation[] = [
  {
    ...{ id: 'scim-read-configuration', tag, summary: 'What the service can do' },
    responses: { 200: { about: 'The configuration.', json: scimDescription } },
    examples: [{ summary: 'The configuration', status: 200 }],
  },
  {
    ...{ id: 'scim-list-resource-types', tag, summary: 'Kinds of resources' },
    responses: { 200: { about: 'User and Group.', json: scimDescriptions } },
    examples: [{ summary: 'All', status: 200 }],
  },
  {
    ...{ id: 'scim-read-resource-type', tag, summary: 'A kind of resource' },
    responses: { 200: { about: 'The kind.', json: scimDescription } },
    examples: [{ summary: 'Users', params: { id: EXAMPLE_IDS.scimResourceType }, status: 200 }],
  },
  {
    ...{ id: 'scim-list-schemas', tag, summary: 'Schemas of resources' },
    responses: { 200: { about: 'Every attribute that is kept.', json: scimDescriptions } },
    examples: [{ summary: 'All', status: 200 }],
  },
  {
    ...{ id: 'scim-read-schema', tag, summary: 'The schema of a resource' },
    responses: { 200: { about: 'The schema.', json: scimDescription } },
    examples: [{ summary: 'Of users', params: { id: EXAMPLE_IDS.scimSchema }, status: 200 }],
  },
];

const USERS: readonly Operation[] = [
  {
    ...{ id: 'scim-list-users', tag, summary: 'Find members', query: scimListQuery },
    responses: { 200: { about: 'A page of those found.', json: scimUsers } },
    examples: [{ summary: 'By name', query: { filter: 'userName eq "ada@example.com"', startIndex: '1', count: '10' }, status: 200 }],
  },
  {
    ...{ id: 'scim-search-users', tag, summary: 'Find members, asked for in a body', body: scimSearchBody },
    responses: { 200: { about: 'A page of those found.', json: scimUsers } },
    examples: [{ summary: 'The first ten', body: { schemas: [SEARCH], filter: 'userName sw "ada"', count: 10 }, status: 200 }],
  },
  {
    ...{ id: 'scim-create-user', tag, summary: 'Provision a member', query: scimSelection, body: scimUserBody },
    about: 'Makes a person a member of the organization. 409 (`uniqueness`) for a `userName` or an address that a member has.',
    responses: { 201: { ...user, headers: ['etag', 'location'] } },
    errors: ['conflict', 'provider_failed'],
    examples: [
      {
        ...{ summary: 'A person', status: 201 },
        body: {
          ...{ schemas: [USER], userName: 'grace@example.com', externalId: '00u1', active: true },
          name: { givenName: 'Grace', familyName: 'Hopper' },
          emails: [{ value: 'grace@example.com', type: 'work', primary: true }],
        },
      },
    ],
  },
  {
    ...{ id: 'scim-read-user', tag, summary: 'Read a member', query: scimSelection },
    responses: { 200: user, 304: known },
    examples: [{ summary: 'A person', params: { id: EXAMPLE_IDS.member }, status: 200 }],
  },
  {
    ...{ id: 'scim-replace-user', tag, summary: 'Replace a member', query: scimSelection, body: scimUserBody },
    about: `What is left out is unassigned, but \`active\` and \`roles\`, which stay.${newest}`,
    responses: { 200: user },
    errors: ['conflict', 'last_administrator', 'precondition_failed', 'provider_failed'],
    examples: [
      {
        ...{ summary: 'Another name', params: { id: EXAMPLE_IDS.member }, status: 200 },
        body: {
          schemas: [USER],
          userName: 'analyst',
          displayName: 'The analyst',
          emails: [{ value: 'analyst@example.com', primary: true }],
        },
      },
    ],
  },
  {
    ...{ id: 'scim-patch-user', tag, summary: 'Change a member', query: scimSelection, body: scimPatchBody },
    about: `\`active\` false offboards them, true brings them back as a plain member, in the groups of the directory. The last administrator stays: 409.${newest}`,
    responses: { 200: user },
    errors: ['conflict', 'last_administrator', 'precondition_failed', 'provider_failed'],
    examples: [
      {
        ...{ summary: 'Offboard', params: { id: EXAMPLE_IDS.member }, status: 200 },
        body: { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
      },
    ],
  },
  {
    ...{ id: 'scim-delete-user', tag, summary: 'Delete a member' },
    about: `Offboards them; the directory sees them no more.${newest}`,
    responses: { 204: { about: 'Deleted.' } },
    errors: ['last_administrator', 'precondition_failed', 'provider_failed'],
    examples: [{ summary: 'A person', params: { id: EXAMPLE_IDS.member }, status: 204 }],
  },
];

const GROUPS: readonly Operation[] = [
  {
    ...{ id: 'scim-list-groups', tag, summary: 'Find groups', query: scimListQuery },
    responses: { 200: { about: 'A page of those found.', json: scimGroups } },
    examples: [{ summary: 'Without their members', query: { excludedAttributes: 'members' }, status: 200 }],
  },
  {
    ...{ id: 'scim-search-groups', tag, summary: 'Find groups, asked for in a body', body: scimSearchBody },
    responses: { 200: { about: 'A page of those found.', json: scimGroups } },
    examples: [{ summary: 'The first ten', body: { schemas: [SEARCH], filter: 'displayName co "Ana"', count: 10 }, status: 200 }],
  },
  {
    ...{ id: 'scim-create-group', tag, summary: 'Provision a group', query: scimSelection, body: scimGroupBody },
    about: 'A group without limits, whose members are plain ones. 409 (`uniqueness`) for a name that a group has.',
    responses: { 201: { ...group, headers: ['etag', 'location'] } },
    errors: ['conflict'],
    examples: [
      {
        ...{ summary: 'A group', status: 201 },
        body: { schemas: [GROUP], displayName: 'Analytics', externalId: '00g1', members: [{ value: EXAMPLE_IDS.member }] },
      },
    ],
  },
  {
    ...{ id: 'scim-read-group', tag, summary: 'Read a group', query: scimSelection },
    responses: { 200: group, 304: known },
    examples: [{ summary: 'A group', params: { id: EXAMPLE_IDS.group }, status: 200 }],
  },
  {
    ...{ id: 'scim-replace-group', tag, summary: 'Replace a group', query: scimSelection, body: scimGroupBody },
    about: `Members who stay keep their role and their limits.${newest}`,
    responses: { 200: group },
    errors: ['conflict', 'precondition_failed'],
    examples: [
      {
        ...{ summary: 'One member', params: { id: EXAMPLE_IDS.group }, status: 200 },
        body: { schemas: [GROUP], displayName: 'Analysts', members: [{ value: EXAMPLE_IDS.member }] },
      },
    ],
  },
  {
    ...{ id: 'scim-patch-group', tag, summary: 'Change a group', query: scimSelection, body: scimPatchBody },
    about: `The usual way to add and take out members.${newest}`,
    responses: { 200: group },
    errors: ['conflict', 'precondition_failed'],
    examples: [
      {
        ...{ summary: 'One more member', params: { id: EXAMPLE_IDS.group }, status: 200 },
        body: { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: EXAMPLE_IDS.member }] }] },
      },
      {
        ...{ summary: 'Take a member out', params: { id: EXAMPLE_IDS.group }, status: 200 },
        body: { schemas: [PATCH], Operations: [{ op: 'remove', path: `members[value eq "${EXAMPLE_IDS.groupMember}"]` }] },
      },
    ],
  },
  {
    ...{ id: 'scim-delete-group', tag, summary: 'Delete a group' },
    about: `409 while active keys are in it.${newest}`,
    responses: { 204: { about: 'Deleted.' } },
    errors: ['conflict', 'precondition_failed'],
    examples: [{ summary: 'A group', params: { id: EXAMPLE_IDS.unusedGroup }, status: 204 }],
  },
];

export const PROVISIONING_OPERATIONS: readonly Operation[] = [...DISCOVERY, ...USERS, ...GROUPS];
