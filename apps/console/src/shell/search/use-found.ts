import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap, useSession, type Schemas } from '../../api';
import { listLabels } from '../../pages/administration/labels';
import { useAuthority } from '../../pages/administration/use-authority';
import { NAVIGATION } from '../navigation';
import { findModels, findPages, isRequestId, isSecret, pickBest, type Found, type FoundGroup } from './find-here';

const TYPING_MS = 180;
/** More than is shown, so that the best of them can be. */
const ASKED = 25;
const MODELS_KEPT_MS = 5 * 60_000;

/** The text once no one types any more. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

type Search = { readonly groups: readonly FoundGroup[]; readonly isLooking: boolean; readonly isPartial: boolean };

/** Pages at once; everything else as the gateway finds it, within what the caller may read. */
export function useFound(typed: string): Search {
  const session = useSession();
  const text = typed.trim();
  const search = useSettled(text);
  const asked = search.length < 2 || isSecret(search) ? '' : search;
  const all = [useRequests(asked), useKeys(asked), useGroups(asked), useMembers(asked), useModels(asked)];
  const pages = NAVIGATION.filter(({ isFor }) => isFor === undefined || isFor(session));
  const groups = [{ label: 'Pages', found: findPages(pages, text) }, ...(asked === '' ? [] : all.map(({ group }) => group))];
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isLooking: text !== search || all.some(({ isFetching }) => isFetching),
    isPartial: asked !== '' && all.some(({ error }) => error !== null),
  };
}

type Source = { readonly group: FoundGroup; readonly isFetching: boolean; readonly error: unknown };

function useKeys(search: string): Source {
  const { permissions } = useSession();
  const query = useQuery({
    queryKey: ['keys', 'search', search],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/manage/apikey', { params: { query: { search, limit: ASKED } }, signal }))).keys,
    enabled: search !== '' && permissions.manage !== 'none',
    placeholderData: keepPreviousData,
  });
  const found = sortBest(query.data, search, ({ name }) => name).map(describeKey);
  return { group: { label: 'Keys', found }, isFetching: query.isFetching, error: query.error };
}

function describeKey({ id, name, prefix, last4, labels }: Schemas['ApiKey']): Found {
  const more = [`${prefix}…${last4}`, ...listLabels(labels)].join(' ');
  return { id: `key ${id}`, icon: 'keys', text: name, more, place: { to: '/keys', search: { search: name } } };
}

function useGroups(search: string): Source {
  const { seesGroups } = useAuthority();
  const query = useQuery({
    queryKey: ['groups', 'search', search],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/manage/group', { params: { query: { search, limit: ASKED } }, signal }))).groups,
    enabled: search !== '' && seesGroups,
    placeholderData: keepPreviousData,
  });
  const found = sortBest(query.data, search, ({ name }) => name).map(({ id, name, members_count: count }): Found => ({
    ...{ id: `group ${id}`, icon: 'groups', text: name, place: { to: '/groups/$id', params: { id } } },
    more: `${count} ${count === 1 ? 'member' : 'members'}`,
  }));
  return { group: { label: 'Groups', found }, isFetching: query.isFetching, error: query.error };
}

function useMembers(search: string): Source {
  const { seesGroups } = useAuthority();
  const query = useQuery({
    queryKey: ['members', 'search', search],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/manage/org/member', { params: { query: { search, limit: ASKED } }, signal }))).members,
    enabled: search !== '' && seesGroups,
    placeholderData: keepPreviousData,
  });
  const found = sortBest(query.data, search, ({ user_email: email }) => email).map((member): Found => ({
    ...{ id: `member ${member.user_id}`, icon: 'members', text: member.user_email },
    more: `${member.first_name} ${member.last_name}`.trim(),
    place: { to: '/members', search: { search: member.user_email } },
  }));
  return { group: { label: 'Members', found }, isFetching: query.isFetching, error: query.error };
}

function useRequests(search: string): Source {
  const query = useQuery({
    queryKey: ['generations', 'search', search],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/generation', { params: { query: { id: search, limit: 5 } }, signal }))).generations,
    enabled: isRequestId(search),
  });
  const found = (query.data ?? []).map((one): Found => ({
    ...{ id: `request ${one.id}`, icon: 'requests', text: one.id, place: { to: '/requests/$id', params: { id: one.id } } },
    more: `${one.model ?? one.model_requested}, ${one.status}`,
  }));
  return { group: { label: 'Requests', found }, isFetching: query.isFetching, error: query.error };
}

/** The list that the page of models has as well: aliases and policies are in it. */
function useModels(search: string): Source {
  const query = useQuery({
    queryKey: ['models', 'list'],
    queryFn: async ({ signal }) => unwrap(api.GET('/v1/models/all', { signal })),
    enabled: search !== '',
    staleTime: MODELS_KEPT_MS,
  });
  const ids = (query.data?.data ?? []).map(({ id }) => id);
  return { group: { label: 'Models and policies', found: findModels(ids, search) }, isFetching: query.isFetching, error: query.error };
}

/** What was found of an earlier text is shown only as far as it fits this one. A find by something else than the name stays. */
function sortBest<Item>(items: readonly Item[] | undefined, search: string, nameOf: (item: Item) => string): Item[] {
  if (items === undefined || search === '') return [];
  const best = pickBest(items, search, nameOf);
  return best.length > 0 ? best : items.slice(0, 5);
}
