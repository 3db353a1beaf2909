import { useQuery } from '@tanstack/react-query';
import { api, unwrap, useSession } from '../../api';

export type Named = { readonly value: string; readonly label: string };

export type NamedKind = 'key' | 'group' | 'member' | 'model';

const LIMIT = 100;

/** What a filter can name, as far as this key may see it; a first page is enough to choose from, and ids can be typed. */
const READERS: Readonly<Record<NamedKind, (signal: AbortSignal) => Promise<Named[]>>> = {
  key: async (signal) => {
    const { keys } = await unwrap(api.GET('/v1/manage/apikey', { params: { query: { limit: LIMIT } }, signal }));
    return keys.map(({ id, name }) => ({ value: id, label: name }));
  },
  group: async (signal) => {
    const { groups } = await unwrap(api.GET('/v1/manage/group', { params: { query: { limit: LIMIT } }, signal }));
    return groups.map(({ id, name }) => ({ value: id, label: name }));
  },
  member: async (signal) => {
    const { members } = await unwrap(api.GET('/v1/manage/org/member', { params: { query: { limit: LIMIT } }, signal }));
    return members.map(({ user_id: value, user_email: label }) => ({ value, label }));
  },
  model: async (signal) => {
    const { data } = await unwrap(api.GET('/v1/models/all', { signal }));
    return data.map(({ id }) => ({ value: id, label: id }));
  },
};

const QUERY_OF: Readonly<Record<NamedKind, string>> = { key: 'keys', group: 'groups', member: 'members', model: 'models' };

/** Empty while it is loaded, where it is not needed, and where the key may not ask. */
export function useNames(kind: NamedKind | undefined): readonly Named[] {
  const { permissions } = useSession();
  const isAllowed = kind === 'model' || permissions.manage !== 'none';
  const names = useQuery({
    queryKey: [kind === undefined ? 'nothing' : QUERY_OF[kind], 'names'],
    queryFn: ({ signal }) => (kind === undefined ? [] : READERS[kind](signal)),
    enabled: kind !== undefined && isAllowed,
    retry: false,
  });
  return names.data ?? [];
}
