import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';

export type Key = Schemas['ApiKey'];
export type Group = Schemas['Groups']['groups'][number];
export type GroupDetail = Schemas['Group'];
export type GroupMember = Schemas['GroupMember'];
export type Member = Schemas['Member'];
export type AccessList = Schemas['AccessList'];
export type BudgetMode = Schemas['OrganizationSettings']['organization']['budget_mode'];

/** Lists are asked for as a whole: what is searched and filtered here has to be all there is. */
export const keysQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/apikey', { signal }))).keys,
});

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/group', { signal }))).groups,
});

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/group/{id}', { params: { path: { id } }, signal }))).group,
  });
}

export const membersQuery = queryOptions({
  queryKey: ['members', 'all'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/org/member', { signal }))).members,
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
