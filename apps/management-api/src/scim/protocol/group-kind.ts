import type { ResourceKind, ScimAttribute } from './attribute';

const MEMBER_PARTS: readonly ScimAttribute[] = [
  { name: 'value', type: 'string', about: 'The id of the user.', isCaseExact: true },
  { name: '$ref', type: 'reference', about: 'Where the user is.', refersTo: ['User'], isCaseExact: true },
  { name: 'type', type: 'string', about: 'User: groups are in no groups.', words: ['User'] },
];

export const GROUP_KIND: ResourceKind = {
  ...{ name: 'Group', path: '/Groups', about: 'Groups of the organization.', extensions: [] },
  schema: {
    ...{ id: 'urn:ietf:params:scim:schemas:core:2.0:Group', name: 'Group', about: 'A group of the organization.' },
    attributes: [
      {
        name: 'displayName',
        type: 'string',
        about: 'The name of the group, one of its kind in the organization.',
        isRequired: true,
        isUnique: true,
        isCaseExact: true,
      },
      { name: 'members', type: 'complex', about: 'Who is in the group.', isMultiple: true, parts: MEMBER_PARTS },
    ],
  },
};
