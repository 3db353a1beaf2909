import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap, useSession } from '../../api';
import { UNKNOWN } from './dimensions';
import type { Range } from './overview-range';
import { groupFilters, type Filter, type Resolution } from './overview-search';

const MINUTE_MS = 60_000;

type UsageQuestion = {
  readonly range: Range;
  readonly resolution: Resolution;
  readonly dimension?: string;
  readonly filters: readonly Filter[];
};

const spell = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

export function useUsage({ range, resolution, dimension, filters }: UsageQuestion) {
  const query = {
    start: spell(range.start),
    end: spell(range.end),
    resolution,
    ...(dimension === undefined ? {} : { group_by: dimension }),
    ...(filters.length === 0 ? {} : { filter: groupFilters(filters) }),
  };
  return useQuery({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/org/usage', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
}

/** The present, which goes on by the minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Groups with their budgets, for those who may list them. */
export function useGroups() {
  return useQuery({
    queryKey: ['groups'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/group', { signal })),
  });
}

/** What ids are called: of groups all, of keys those asked for. An id without a name is shown itself. */
export function useNames(dimension: string | undefined, values: readonly string[]): (value: string) => string {
  const groups = useGroups();
  const ids = dimension === 'api_key_id' ? values.filter((value) => value !== UNKNOWN) : [];
  const keys = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['keys', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => unwrap(api.GET('/v1/manage/apikey/{id}', { params: { path: { id } }, signal })),
      staleTime: 10 * MINUTE_MS,
      retry: false,
    })),
  });
  const names = new Map<string, string>();
  if (dimension === 'group_id') for (const { id, name } of groups.data?.groups ?? []) names.set(id, name);
  for (const { data } of keys) if (data !== undefined) names.set(data.key.id, data.key.name);
  return (value) => names.get(value) ?? describeValue(dimension, value);
}

function describeValue(dimension: string | undefined, value: string): string {
  if (value === UNKNOWN) return 'None stated';
  if (dimension === 'is_byok') return value === 'true' ? 'Own provider key' : 'The operator’s';
  return value;
}

/** Whether all of the month is counted, for those who may ask. */
export function useReconciliation() {
  const { is_administrator: isAdministrator } = useSession();
  return useQuery({
    queryKey: ['reconciliation'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/reconciliation', { signal })),
    enabled: isAdministrator,
    refetchInterval: 5 * MINUTE_MS,
  });
}
