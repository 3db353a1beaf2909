import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { LIMIT_MEASURES, LIMIT_SCOPES } from '@weir/contracts';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Button, EmptyState, Icon, Loaded, LoadingState, PageHead, Select, Table, TextField } from '../../design';
import { ListFoot } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { DeleteDialog } from '../rules/delete-dialog';
import { listLimitColumns } from './limit-columns';
import { LimitDialog } from './limit-dialog';
import { filterLimits, MEASURE_WORDS, SCOPE_WORDS, type Names } from './limit-words';
import { listLimitCsv } from './limits-csv';
import { limitsQuery, type Limit, type Measure, type Scope } from './limits-queries';
import type { LimitsSearch } from './limits-search';
import { OwnLimits } from './own-limits';
import { TimeZonePanel } from './time-zone-panel';
import { useLimitNames } from './use-limit-names';
import '../administration/administration.css';
import './limits.css';

const route = getRouteApi('/shell/limits');

type Change = (part: { readonly [Name in keyof LimitsSearch]?: LimitsSearch[Name] | undefined }) => void;

export function LimitsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { seesAll } = useAuthority();
  const change: Change = (part) => void navigate({ search: (old) => keepDefined({ ...old, ...part }), replace: true, resetScroll: false });
  return seesAll ? <AllLimits search={search} change={change} /> : <OwnLimits keyId={search.key} onKey={(key) => change({ key })} />;
}

function AllLimits({ search, change }: Pick<LimitListProps, 'search' | 'change'>) {
  const { canAdminister } = useAuthority();
  const limits = useQuery(limitsQuery);
  const names = useLimitNames();
  const create = (
    <Button kind="primary" onClick={() => change({ dialog: 'new' })}>
      <Icon name="plus" size={14} /> New limit
    </Button>
  );
  const opened = limits.data?.find(({ id }) => id === search.limit);
  return (
    <>
      <PageHead
        title="Limits"
        about="How much may be used: of whom, in which unit, over which time, and what happens then."
        actions={canAdminister && create}
      />
      <Loaded query={limits} loading={<LoadingState lines={8} />}>
        {(all) => <LimitList all={all} names={names} search={search} change={change} />}
      </Loaded>
      <TimeZonePanel />
      {search.dialog === 'new' && canAdminister && <LimitDialog limit={null} names={names} onClose={() => change({ dialog: undefined })} />}
      {opened !== undefined && canAdminister && (
        <LimitDialog key={opened.id} limit={opened} names={names} onClose={() => change({ limit: undefined })} />
      )}
    </>
  );
}

function keepDefined(search: Parameters<Change>[0]): LimitsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}

type LimitListProps = {
  readonly all: readonly Limit[];
  readonly names: Names;
  readonly search: LimitsSearch;
  readonly change: Change;
};

function LimitList({ all, names, search, change }: LimitListProps) {
  const { canAdminister } = useAuthority();
  const [deleted, setDeleted] = useState<Limit>();
  const navigate = route.useNavigate();
  const found = filterLimits(all, { ...readFilters(search), ...(search.search === undefined ? {} : { search: search.search }) }, names);
  const columns = listLimitColumns(
    names,
    {
      edit: ({ id }) => change({ limit: id }),
      remove: setDeleted,
      showChanges: ({ id }) => void navigate({ to: '/audit', search: { target: id } }),
    },
    canAdminister,
  );
  return (
    <>
      <Filters search={search} change={change} />
      <div className="panel">
        <Table
          label="Limits"
          columns={columns}
          rows={found}
          rowKey={({ id }) => id}
          empty={<NoLimits hasAny={all.length > 0} change={change} />}
        />
      </div>
      <ListFoot name="limits" shown={found} all={all} columns={listLimitCsv(names)} />
      <p className="quiet">
        Besides these hold the monthly limits of <Link to="/keys">keys</Link>, the budgets of <Link to="/groups">groups</Link> and their
        members, and the <Link to="/money">balance</Link>, where they are set.
      </p>
      {deleted !== undefined && (
        <DeleteDialog
          kind="limit"
          name={deleted.name}
          queryKey="limits"
          onClose={() => setDeleted(undefined)}
          remove={() => unwrap(api.DELETE('/v1/manage/limit/{id}', { params: { path: { id: deleted.id } } }))}
        >
          <p>Within five seconds it binds nothing any more. What it has counted is gone: a new one would begin at nothing.</p>
        </DeleteDialog>
      )}
    </>
  );
}

/** Words of the address that name no scope or measure filter nothing. */
function readFilters({ scope, measure }: LimitsSearch): { scope?: Scope; measure?: Measure } {
  const [scopeFound, measureFound] = [LIMIT_SCOPES.find(({ name }) => name === scope), LIMIT_MEASURES.find(({ name }) => name === measure)];
  return {
    ...(scopeFound === undefined ? {} : { scope: scopeFound.name }),
    ...(measureFound === undefined ? {} : { measure: measureFound.name }),
  };
}

function NoLimits({ hasAny, change }: { readonly hasAny: boolean; readonly change: Change }) {
  if (!hasAny)
    return <EmptyState title="No limits yet" text="One can bound the tokens of a team a day, or the streams of each end user at a time." />;
  const clear = (): void => change({ search: undefined, scope: undefined, measure: undefined });
  return <EmptyState title="No limit fits" action={<Button onClick={clear}>Show all</Button>} />;
}

function Filters({ search, change }: Pick<LimitListProps, 'search' | 'change'>) {
  const scopes = LIMIT_SCOPES.map(({ name }) => ({ value: name, label: SCOPE_WORDS[name] }));
  const measures = LIMIT_MEASURES.map(({ name }) => ({ value: name, label: MEASURE_WORDS[name] }));
  return (
    <div className="administration-filters">
      <TextField
        label="Search"
        type="search"
        placeholder="Name, or whom it is about …"
        value={search.search ?? ''}
        onChange={({ target }) => change({ search: target.value })}
      />
      <Select
        label="Holds for"
        value={search.scope ?? ''}
        options={[{ value: '', label: 'Anything' }, ...scopes]}
        onChange={(scope) => change({ scope })}
      />
      <Select
        label="Counts"
        value={search.measure ?? ''}
        options={[{ value: '', label: 'Anything' }, ...measures]}
        onChange={(measure) => change({ measure })}
      />
    </div>
  );
}
