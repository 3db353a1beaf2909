import { findRows } from '../../find-words';
import type { GroupDetail, Key, Member } from '../administration/lists';

export type Offboarding = {
  readonly keys: readonly Key[];
  readonly groups: readonly Pick<GroupDetail, 'id' | 'name'>[];
  readonly administers: boolean;
};

/** What offboarding will do, from the lists as they are: it ends every key that is the member's, and all of their places in groups. */
export function planOffboarding(member: Member, keys: readonly Key[], groups: readonly GroupDetail[]): Offboarding {
  const { user_id: id, role } = member;
  return {
    keys: keys.filter((key) => key.created_by?.id === id),
    groups: groups
      .filter(({ members }) => members.some((inside) => inside.id === id))
      .map(({ id: groupId, name }) => ({ id: groupId, name })),
    administers: role !== 'member',
  };
}

export function filterMembers(members: readonly Member[], search: string | undefined): Member[] {
  return findRows(members, search, ({ user_id: id, user_email, first_name, last_name, role }) => ({
    id,
    texts: [user_email, first_name, last_name, role],
  }));
}
