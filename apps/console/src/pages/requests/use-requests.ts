import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap, type Schemas } from '../../api';
import { toListQuery, type ListQuery } from './list-query';
import { addArrivals, mergeLines, NO_ARRIVALS, type Arrivals } from './merge-lines';
import { readAllRequests } from './read-all-requests';
import type { RequestsSearch } from './requests-search';

type Page = Schemas['GenerationList'];
type News = { readonly arrivals: Arrivals; readonly newestCursor: string };

const PAGE_SIZE = 120;
const POLL_MS = 2000;
const MOST_AT_ONCE = 200;
/** As many arrivals are kept beside the pages; above that the list begins anew. */
const ARRIVALS_MAX = 2000;

/** The list of a view: pages to its past, and, while live, what came to be counted since the first of them. */
export function useRequests(search: RequestsSearch, isLive: boolean) {
  const { live: _live, ...filters } = search;
  const view = JSON.stringify(filters);
  const query = useMemo(() => toListQuery(JSON.parse(view) as RequestsSearch, new Date()), [view]);
  const list = useInfiniteQuery({
    queryKey: ['generations', 'list', query],
    queryFn: ({ pageParam, signal }) => read({ ...query, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Infinity,
    gcTime: 0,
  });
  const first = list.data?.pages[0]?.newest_cursor;
  const news = useNews({ query, first, isLive });
  const lines = useMemo(
    () => mergeLines(news.data?.arrivals.lines ?? [], ...(list.data?.pages.map(({ generations }) => generations) ?? [])),
    [list.data, news.data],
  );
  const readAll = () => readAllRequests((cursor) => read({ ...query, limit: MOST_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) }));
  return { list, news, lines, readAll, isPartial: list.data?.pages.at(-1)?.is_partial ?? false };
}

type NewsOptions = { readonly query: ListQuery; readonly first: string | undefined; readonly isLive: boolean };

function useNews({ query, first, isLive }: NewsOptions) {
  const client = useQueryClient();
  const queryKey = ['generations', 'news', query, first];
  return useQuery({
    queryKey,
    enabled: isLive && first !== undefined,
    queryFn: async ({ signal }): Promise<News> => {
      const { arrivals, newestCursor } = client.getQueryData<News>(queryKey) ?? { arrivals: NO_ARRIVALS, newestCursor: first ?? '' };
      const page = await read({ ...query, limit: MOST_AT_ONCE, after: newestCursor }, signal);
      const found = { arrivals: addArrivals(arrivals, page.generations, Date.now()), newestCursor: page.newest_cursor ?? newestCursor };
      // More came than a page holds: reading the newest again is less than reading all of it.
      if (page.next_cursor !== null || found.arrivals.lines.length > ARRIVALS_MAX)
        void client.resetQueries({ queryKey: ['generations', 'list'] });
      return found;
    },
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

function read(query: ListQuery, signal?: AbortSignal): Promise<Page> {
  return unwrap(api.GET('/v1/generation', { params: { query }, ...(signal === undefined ? {} : { signal }) }));
}
