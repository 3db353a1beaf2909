import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, toApiError, unwrap } from '../../api';
import { Button, EmptyState, Loaded, LoadingState, PageHead, Table } from '../../design';
import { formatCount } from '../../format/numbers';
import { listColumns } from './audit-columns';
import { AuditDownloads, AuditFilters } from './audit-filters';
import { toQuery, withFilter, withoutEntry, type AuditFilterName, type AuditSearch } from './audit-search';
import { EntryDialog } from './entry-dialog';
import { VerificationPanel } from './verification-panel';
import './audit.css';

const route = getRouteApi('/shell/audit');

const PAGE = 100;
/** Pages in which nothing fits are passed over by themselves, so many of them. */
const EMPTY_PAGES_MAX = 10;

function useEntries(search: AuditSearch) {
  const filter = toQuery(withoutEntry(search));
  const list = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      return unwrap(api.GET('/v1/manage/audit', { params: { query: { ...filter, limit: PAGE, ...cursor } }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const pages = list.data?.pages ?? [];
  const entries = pages.flatMap(({ audit }) => audit);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const isLookingOn = entries.length === 0 && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && pages.length < EMPTY_PAGES_MAX;
  useEffect(() => {
    if (isLookingOn) void fetchNextPage();
  }, [isLookingOn, fetchNextPage]);
  const loadMore = (): void => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  };
  return { list, entries, loadMore };
}

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { list, entries, loadMore } = useEntries(search);
  const show = (next: AuditSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  const narrow = (name: AuditFilterName, value: string): void => show(withFilter(withoutEntry(search), name, value));
  const opened = entries.find(({ id }) => id === search.entry);
  return (
    <>
      <PageHead
        title="Audit"
        about="Who changed what, when and from where. Nothing here can be changed or removed."
        actions={<AuditDownloads search={search} />}
      />
      <VerificationPanel />
      <div className="stack">
        <AuditFilters search={search} entries={entries} onChange={show} />
        <div className="panel">
          <Loaded query={list} loading={<LoadingState lines={12} />}>
            {() => (
              <>
                <Table
                  label="Changes"
                  columns={listColumns(narrow)}
                  rows={entries}
                  rowKey={({ id }) => id}
                  rowLink={({ id }) => ({ to: '/audit', search: { ...search, entry: id } })}
                  maxHeight="calc(100dvh - 260px)"
                  onEndReached={loadMore}
                  empty={<NoEntries isLooking={list.isFetching} onClear={() => show({})} />}
                />
                <ListEnd list={list} count={entries.length} />
              </>
            )}
          </Loaded>
        </div>
      </div>
      {search.entry !== undefined && list.data !== undefined && (
        <EntryDialog id={search.entry} found={opened} narrow={narrow} onClose={() => show(withoutEntry(search))} />
      )}
    </>
  );
}

function NoEntries({ isLooking, onClear }: { readonly isLooking: boolean; readonly onClear: () => void }) {
  if (isLooking) return <LoadingState lines={6} />;
  return (
    <EmptyState
      title="No change fits"
      text="Every change of keys, groups, rules and settings is noted here."
      action={<Button onClick={onClear}>Clear all filters</Button>}
    />
  );
}

function ListEnd({ list, count }: { readonly list: ReturnType<typeof useEntries>['list']; readonly count: number }) {
  return (
    <div className="spread audit-end">
      <span className="quiet" role="status">
        {formatCount(count)} {count === 1 ? 'change' : 'changes'}
        {list.hasNextPage ? ' loaded; there may be more' : ', that is all'}
        {list.isFetchNextPageError && ` · ${toApiError(list.error).message}`}
      </span>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Look further
        </Button>
      )}
    </div>
  );
}
