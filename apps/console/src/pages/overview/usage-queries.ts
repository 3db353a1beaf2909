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

function writeQuestion({ range, resolution, dimension, filters }: UsageQuestion) {
  return {
    start: spell(range.start),
    end: spell(range.end),
    resolution,
    ...(dimension === undefined ? {} : { group_by: dimension }),
    ...(filters.length === 0 ? {} : { filter: groupFilters(filters) }),
  };
}

/** Whether the key sees its own usage and nothing else of its organization. */
export function useSeesOwnAlone(): boolean {
  return useSession().permissions.manage === 'none';
}

/** As far as the caller sees it. */
export function useUsage(question: UsageQuestion) {
  const path = useSeesOwnAlone() ? '/v1/manage/apikey/self/usage' : '/v1/manage/org/usage';
  const query = writeQuestion(question);
  return useQuery({
    queryKey: ['usage', path, query],
    queryFn: ({ signal }) => unwrap(api.GET(path, { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  });
}

/** Errors and times of the same requests. They cost the gateway more than sums, and are asked for less often. */
export function usePerformance(question: UsageQuestion) {
  const seesOwnAlone = useSeesOwnAlone();
  const query = writeQuestion(question);
  return useQuery({
    queryKey: ['performance', query],
    enabled: !seesOwnAlone,
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/org/performance', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE_MS,
    refetchInterval: 5 * MINUTE_MS,
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
  const seesOwnAlone = useSeesOwnAlone();
  return useQuery({
    queryKey: ['groups'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/group', { signal })),
    enabled: !seesOwnAlone,
  });
}

/** What ids are called: of groups all, of keys those asked for. An id without a name is shown itself. */
export function useNames(dimension: string | undefined, values: readonly string[]): (value: string) => string {
  const groups = useGroups();
  const seesOwnAlone = useSeesOwnAlone();
  const ids = dimension === 'api_key_id' && !seesOwnAlone ? values.filter((value) => value !== UNKNOWN) : [];
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
  const seesOwnAlone = useSeesOwnAlone();
  return useQuery({
    queryKey: ['reconciliation'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/manage/reconciliation', { signal })),
    enabled: isAdministrator && !seesOwnAlone,
    refetchInterval: 5 * MINUTE_MS,
  });
}
