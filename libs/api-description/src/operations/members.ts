import { addMemberBody, searchedPageParameters, setOrganizationRoleBody } from '@weir/contracts';
import { EXAMPLE_IDS } from './example-ids';
import type { Operation } from './operation';
import { members, offboarded, oneMember } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

export const MEMBER_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-members',
    tag: 'Members',
    summary: 'List members',
    query: searchedPageParameters,
    responses: { 200: { about: 'The members.', json: members } },
    examples: [{ summary: 'The first hundred', query: { limit: '100' }, status: 200 }],
  },
  {
    id: 'add-member',
    tag: 'Members',
    summary: 'Add a member',
    about:
      'By e-mail address, whose case does not matter; repeatable. A name is used only for a new person: someone who has an account keeps the name of the account. A plain member unless `role` is "admin", an administrator of the organization.',
    body: nameRequest('AddMember', addMemberBody),
    responses: { 201: { about: 'Added.', json: oneMember } },
    errors: ['conflict', 'provider_failed'],
    examples: [{ summary: 'A person', body: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }, status: 201 }],
  },
  {
    id: 'set-member-role',
    tag: 'Members',
    summary: 'Change the role of a member',
    about:
      'Administrators of the organization reach all of it by their keys with management permissions; what plain members reach is decided by their roles in groups. Keys follow within five seconds. The last administrator stays one: 409.',
    body: nameRequest('SetOrganizationRole', setOrganizationRoleBody),
    responses: { 200: { about: 'The changed member.', json: oneMember } },
    errors: ['last_administrator'],
    examples: [{ summary: 'An administrator', params: { id: EXAMPLE_IDS.member }, body: { role: 'admin' }, status: 200 }],
  },
  {
    id: 'offboard-member',
    tag: 'Members',
    summary: 'Offboard a member',
    about:
      'Ends the membership at the identity provider, every key the member made and every membership in groups. Repeatable: 200 for an id that is no member’s, so that a retry after a 502 is safe. It cannot be undone. The last administrator, and the owner of the last key that may manage the organization, are refused with 409.',
    responses: { 200: { about: 'Offboarded; `was_member` is false for an id that was never a member’s.', json: offboarded } },
    errors: ['last_administrator', 'provider_failed'],
    examples: [{ summary: 'A person', params: { id: EXAMPLE_IDS.member }, status: 200 }],
  },
];
