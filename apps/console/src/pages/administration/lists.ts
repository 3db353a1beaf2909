import { queryOptions, skipToken } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { readPages } from './read-pages';

export type Key = Schemas['ApiKey'];
export type Group = Schemas['Groups']['groups'][number];
export type GroupDetail = Schemas['Group'];
export type GroupMember = Schemas['GroupMember'];
export type Member = Schemas['Member'];
export type AccessList = Schemas['AccessList'];
export type BudgetMode = Schemas['OrganizationSettings']['organization']['budget_mode'];

/** The first pages of all keys, while the others are still read. Never asked for by itself. */
export const begunKeysQuery = queryOptions<readonly Key[]>({ queryKey: ['keys-begun'], queryFn: skipToken, gcTime: 0 });

/** Lists are read as a whole, page by page: what is searched and filtered here has to be all there is. */
export const keysQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: ({ signal, client }) =>
    readPages(
      async (query) => {
        const { keys, next } = await unwrap(api.GET('/v1/manage/apikey', { params: { query }, signal }));
        return { rows: keys, next };
      },
      (begun) => client.setQueryData(begunKeysQuery.queryKey, begun),
    ),
});

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'all'],
  queryFn: ({ signal }) =>
    readPages(async (query) => {
      const { groups, next } = await unwrap(api.GET('/v1/manage/group', { params: { query }, signal }));
      return { rows: groups, next };
    }),
});

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/group/{id}', { params: { path: { id } }, signal }))).group,
  });
}

export const membersQuery = queryOptions({
  queryKey: ['members', 'all'],
  queryFn: ({ signal }) =>
    readPages(async (query) => {
      const { members, next } = await unwrap(api.GET('/v1/manage/org/member', { params: { query }, signal }));
      return { rows: members, next };
    }),
});

export const accessListsQuery = queryOptions({
  queryKey: ['access-lists', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/access-list', { signal }))).access_lists,
});

export const organizationQuery = queryOptions({
  queryKey: ['organization', 'settings'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/org', { signal }))).organization,
});

/** The key of the session, and as which it acts. */
export const selfQuery = queryOptions({
  queryKey: ['keys', 'self'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/apikey/self', { signal })),
  staleTime: 60_000,
});
