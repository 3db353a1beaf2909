import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { groupsQuery, keysQuery, membersQuery } from '../administration/lists';
import type { Names } from './limit-words';

/** Names of all keys, groups and members: for administrators of the organization. */
export function useLimitNames(): Names {
  const keys = useQuery(keysQuery).data;
  const groups = useQuery(groupsQuery).data;
  const members = useQuery(membersQuery).data;
  return useMemo(
    () => ({
      keys: new Map((keys ?? []).map(({ id, name }) => [id, name])),
      groups: new Map((groups ?? []).map(({ id, name }) => [id, name])),
      members: new Map((members ?? []).map(({ user_id: id, user_email: email }) => [id, email])),
    }),
    [keys, groups, members],
  );
}
