import { addMemberBody, pageParameters } from '@weir/contracts';
import { EXAMPLE_IDS } from '../example-ids';
import type { Operation } from '../operation';
import { members, nothing, oneMember } from '../schemas/management/replies';
import { nameRequest } from '../schemas/named-schemas';

export const MEMBER_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-members',
    tag: 'Members',
    summary: 'List members',
    query: pageParameters,
    answers: { 200: { about: 'The members.', json: members } },
    examples: [{ summary: 'The first hundred', query: { limit: '100' }, status: 200 }],
  },
  {
    id: 'add-member',
    tag: 'Members',
    summary: 'Add a member',
    about:
      'By e-mail address, whose case does not matter; repeatable. A name is taken of somebody new only: whoever has an account has named themselves.',
    body: nameRequest('AddMember', addMemberBody),
    answers: { 201: { about: 'Added.', json: oneMember } },
    errors: ['provider_failed'],
    examples: [{ summary: 'A person', body: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }, status: 201 }],
  },
  {
    id: 'offboard-member',
    tag: 'Members',
    summary: 'Offboard a member',
    about:
      'Ends the membership at the identity provider, every key the member made and every membership in groups. Repeatable: 200 for whoever is no member, so that a retry after a 502 is safe. It cannot be undone.',
    answers: { 200: { about: 'Offboarded.', json: nothing } },
    errors: ['provider_failed'],
    examples: [{ summary: 'A person', params: { id: EXAMPLE_IDS.member }, status: 200 }],
  },
];
