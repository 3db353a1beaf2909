import type { ResourceKind, ScimAttribute, ScimSchema } from './attribute';

const text = (name: string, about: string): ScimAttribute => ({ name, type: 'string', about });
const primary: ScimAttribute = { name: 'primary', type: 'boolean', about: 'Whether it is the one to use; of one at most.' };
const display = text('display', 'For people.');

function listOf(name: string, about: string, words: readonly string[], value: ScimAttribute): ScimAttribute {
  const type: ScimAttribute = { ...text('type', 'What it is for.'), words };
  return { name, type: 'complex', about, isMultiple: true, parts: [value, display, type, primary] };
}

const NAME_PARTS: readonly ScimAttribute[] = [
  text('formatted', 'The whole name.'),
  text('familyName', 'The family name.'),
  text('givenName', 'The first name.'),
  text('middleName', 'Other names.'),
  text('honorificPrefix', 'Before the name.'),
  text('honorificSuffix', 'After the name.'),
];

const ADDRESS_PARTS: readonly ScimAttribute[] = [
  text('formatted', 'The whole address.'),
  text('streetAddress', 'Street and number.'),
  text('locality', 'Place.'),
  text('region', 'State or region.'),
  text('postalCode', 'Postal code.'),
  text('country', 'Country.'),
  { ...text('type', 'What it is for.'), words: ['work', 'home', 'other'] },
  primary,
];

const GROUP_PARTS: readonly ScimAttribute[] = [
  { ...text('value', 'The id of the group.'), isReadOnly: true, isCaseExact: true },
  { name: '$ref', type: 'reference', about: 'Where the group is.', isReadOnly: true, refersTo: ['Group'], isCaseExact: true },
  { ...text('display', 'The name of the group.'), isReadOnly: true },
  { ...text('type', 'direct: groups are in no groups.'), isReadOnly: true, words: ['direct'] },
];

const USER_ATTRIBUTES: readonly ScimAttribute[] = [
  { ...text('userName', 'The name in the directory, one of its kind in the organization.'), isRequired: true, isUnique: true },
  { name: 'name', type: 'complex', about: 'The parts of the name.', parts: NAME_PARTS },
  text('displayName', 'The name for people.'),
  text('nickName', 'A short name.'),
  { name: 'profileUrl', type: 'reference', about: 'A page about the person.', refersTo: ['external'] },
  text('title', 'The position.'),
  text('userType', 'The kind of employment.'),
  text('preferredLanguage', 'The language, as Accept-Language has it.'),
  text('locale', 'Where they are, for formats.'),
  text('timezone', 'The time zone.'),
  { name: 'active', type: 'boolean', about: 'False: the member is offboarded and their keys are revoked.' },
  {
    ...listOf(
      'emails',
      'The primary one, else the first, is the address they sign in with; where there is none, the userName is.',
      ['work', 'home', 'other'],
      {
        ...text('value', 'The address.'),
        isRequired: true,
      },
    ),
    isRequired: true,
  },
  listOf('phoneNumbers', 'Telephone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other'], text('value', 'The number.')),
  { name: 'addresses', type: 'complex', about: 'Where they live and work.', isMultiple: true, parts: ADDRESS_PARTS },
  { name: 'groups', type: 'complex', about: 'The groups they are in.', isMultiple: true, isReadOnly: true, parts: GROUP_PARTS },
  {
    ...{
      name: 'roles',
      type: 'complex',
      about: 'The role in the organization: admin, or member, which is what none means.',
      isMultiple: true,
    },
    parts: [{ ...text('value', 'The role.'), words: ['admin', 'member'] }, primary],
  },
];

const MANAGER_PARTS: readonly ScimAttribute[] = [
  text('value', 'The id of the manager.'),
  { name: '$ref', type: 'reference', about: 'Where the manager is.', refersTo: ['User'], isCaseExact: true },
  text('displayName', 'The name of the manager.'),
];

/** Kept for those who read it here; nothing hangs on it. */
const ENTERPRISE: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  about: 'Where the person is in a company.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    { name: 'manager', type: 'complex', about: 'The manager.', parts: MANAGER_PARTS },
  ],
};

/** A user of the directory is a member of the organization. */
export const USER_KIND: ResourceKind = {
  ...{ name: 'User', path: '/Users', about: 'Members of the organization.', extensions: [ENTERPRISE] },
  schema: {
    id: 'urn:ietf:params:scim:schemas:core:2.0:User',
    name: 'User',
    about: 'A member of the organization.',
    attributes: USER_ATTRIBUTES,
  },
};
