import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { toApiError } from '../../api';
import { Button, EmptyState, Icon, ListExport, Loaded, LoadingState, Notice, PageHead, showToast, Table } from '../../design';
import { formatCount } from '../../format/numbers';
import { FilterBar } from './filter-bar';
import type { RequestLine } from './merge-lines';
import { listColumns } from './request-columns';
import { REQUEST_CSV } from './requests-csv';
import { listApplied, withoutFilters, type RequestsSearch } from './requests-search';
import { useRequests } from './use-requests';
import './requests.css';

const route = getRouteApi('/shell/requests');

const NEW_FOR_MS = 10_000;

type Requests = ReturnType<typeof useRequests>;

export function RequestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayBeLive = search.end === undefined;
  const isLive = mayBeLive && search.live !== 'off';
  const requests = useRequests(search, isLive);
  const { list, news, lines } = requests;
  const show = (next: RequestsSearch): void => void navigate({ search: next, replace: true });
  const keyNames = useMemo(
    () => new Map(lines.flatMap((line) => (line.api_key_name === null ? [] : [[line.api_key_id, line.api_key_name]]))),
    [lines],
  );
  const actions = (
    <>
      {mayBeLive && <LiveButton isLive={isLive} onToggle={() => show(toggleLive(search))} />}
      <ListExport name="requests" columns={REQUEST_CSV} rows={lines.length === 0 ? lines : () => takeAll(requests)} />
    </>
  );
  return (
    <>
      <PageHead title="Requests" about="Where each went and what it cost, as it is counted." actions={actions} />
      <div className="stack">
        <FilterBar search={search} keyNames={keyNames} onChange={show} />
        {isLive && news.error !== null && (
          <Notice kind="warn">New requests cannot be read at the moment: {toApiError(news.error).message}</Notice>
        )}
        <div className="panel requests-panel">
          <Loaded query={list} loading={<LoadingState lines={12} />}>
            {() => (
              <RequestTable
                requests={requests}
                empty={<NoRequests search={search} isPartial={requests.isPartial} onClear={() => show(withoutFilters(search))} />}
              />
            )}
          </Loaded>
          {list.data !== undefined && <ListEnd requests={requests} />}
        </div>
      </div>
    </>
  );
}

/** Not only what was scrolled to: a file of a part would be taken for the whole. */
async function takeAll({ readAll }: Requests): Promise<readonly RequestLine[]> {
  const { rows, isWhole } = await readAll();
  if (!isWhole) {
    showToast({
      text: `The list goes on after the newest ${formatCount(rows.length)} that were taken: narrow it, or take the file of a month from Money.`,
      kind: 'bad',
    });
  }
  return rows;
}

function LiveButton({ isLive, onToggle }: { readonly isLive: boolean; readonly onToggle: () => void }) {
  return (
    <Button
      onClick={onToggle}
      aria-pressed={!isLive}
      data-tip={isLive ? 'New requests appear as they are counted' : 'The list stands still'}
    >
      {isLive ? <Icon name="pause" /> : <Icon name="playground" />}
      {isLive ? 'Pause' : 'Go live'}
      {isLive && <span className="requests-pulse" aria-hidden="true" />}
    </Button>
  );
}

function RequestTable({ requests: { list, news, lines }, empty }: { readonly requests: Requests; readonly empty: React.ReactNode }) {
  const { data, dataUpdatedAt: updatedAt } = news;
  const columns = useMemo(() => {
    const seenAt = data?.arrivals.seenAt;
    return listColumns(({ id }) => updatedAt - (seenAt?.get(id) ?? 0) < NEW_FOR_MS);
  }, [data, updatedAt]);
  return (
    <Table<RequestLine>
      label="Requests"
      columns={columns}
      rows={lines}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/requests/$id', params: { id } })}
      empty={empty}
      maxHeight="calc(100dvh - 260px)"
      onEndReached={() => {
        if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
      }}
    />
  );
}

/** How far the list goes, and on from there. A scan that was cut short says so: the list would look complete. */
function ListEnd({ requests: { list, lines, isPartial } }: { readonly requests: Requests }) {
  const more = (
    <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {isPartial ? 'Look further' : 'Load more'}
    </Button>
  );
  return (
    <div className="spread requests-end">
      <span className="quiet" role="status">
        {formatCount(lines.length)} {lines.length === 1 ? 'request' : 'requests'}
        {list.hasNextPage ? ' loaded' : ', that is all'}
        {list.hasNextPage && isPartial && '. So many others were looked at that the search stopped here: there may be more that fit.'}
        {list.isFetchNextPageError && ` · ${toApiError(list.error).message}`}
      </span>
      {list.hasNextPage && more}
    </div>
  );
}

type NoRequestsProps = { readonly search: RequestsSearch; readonly isPartial: boolean; readonly onClear: () => void };

function NoRequests({ search, isPartial, onClear }: NoRequestsProps) {
  if (listApplied(search).length > 0) {
    return (
      <EmptyState
        title={isPartial ? 'No request fits so far' : 'No request fits'}
        text="Nothing that was looked at has all of these."
        action={<Button onClick={onClear}>Clear all filters</Button>}
      />
    );
  }
  if (search.range !== undefined) return <EmptyState title="No requests in this range" text="Choose a longer one." />;
  return (
    <EmptyState
      title="No requests yet"
      text="Send one with a key of this organization: it appears here when it has ended. The page of models has lines to copy for every client."
    />
  );
}

function toggleLive(search: RequestsSearch): RequestsSearch {
  const { live, ...rest } = search;
  return live === 'off' ? rest : { ...rest, live: 'off' };
}
