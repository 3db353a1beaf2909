import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  Button,
  EmptyState,
  ListExport,
  Loaded,
  LoadingState,
  Notice,
  PageHead,
  Segments,
  Table,
  TextField,
  type Column,
} from '../../design';
import { formatCount } from '../../format/numbers';
import { ErrorShare, HealthBadge, Latency, LeftOutUntil, SetUpBadge } from './health-parts';
import { filterProviders, isTroubled, providersQuery, type Provider, type Providers } from './provider-list';
import { PROVIDER_CSV } from './providers-csv';
import { SHOWN, type ProvidersSearch, type Shown } from './providers-search';
import './providers.css';

const route = getRouteApi('/shell/providers');

const SHOWN_LABELS: Readonly<Record<Shown, string>> = {
  all: 'All',
  'set-up': 'Usable',
  'not-set-up': 'Not set up',
  troubled: 'In trouble',
};

export function ProvidersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const providers = useQuery(providersQuery);
  const show = (change: ProvidersSearch): void => void navigate({ search: change, replace: true });
  const found = filterProviders(providers.data?.providers ?? [], search);
  return (
    <>
      <PageHead
        title="Providers"
        about="Who can be called upstream, with whose keys, and how each of them does."
        actions={<ListExport name="providers" columns={PROVIDER_CSV} rows={found} />}
      />
      <Loaded query={providers} loading={<LoadingState lines={12} />}>
        {(data) => (
          <>
            <SeenBy data={data} />
            <div className="stack">
              <ProviderFilters all={data.providers} search={search} onChange={show} />
              <div className="panel">
                <Table
                  label="Providers"
                  columns={COLUMNS}
                  rows={found}
                  rowKey={({ id }) => id}
                  rowLink={({ id }) => ({ to: '/providers/$id', params: { id } })}
                  empty={<EmptyState title="No provider fits" action={<Button onClick={() => show({})}>Show all</Button>} />}
                />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Whose knowledge this is. */
export function SeenBy({ data: { processes } }: { readonly data: Pick<Providers, 'processes'> }) {
  if (processes === null) return <Notice kind="warn">What the processes know of providers cannot be read at the moment.</Notice>;
  if (processes === 0) return <Notice kind="warn">No process that calls providers was heard of within the last half minute.</Notice>;
  return (
    <p className="quiet providers-seen">
      As {processes === 1 ? 'the one process sees it that calls' : `the ${formatCount(processes)} processes see it that call`} providers:
      attempts of the last minutes.
    </p>
  );
}

type FiltersProps = {
  readonly all: readonly Provider[];
  readonly search: ProvidersSearch;
  readonly onChange: (search: ProvidersSearch) => void;
};

function ProviderFilters({ all, search, onChange }: FiltersProps) {
  const troubled = all.filter(isTroubled).length;
  const { search: text = '', show = 'all' } = search;
  const withText = (value: string): ProvidersSearch => ({
    ...(search.show === undefined ? {} : { show }),
    ...(value === '' ? {} : { search: value }),
  });
  const withShown = (value: Shown): ProvidersSearch => ({
    ...(text === '' ? {} : { search: text }),
    ...(value === 'all' ? {} : { show: value }),
  });
  return (
    <div className="providers-filters">
      <TextField
        label="Search"
        type="search"
        placeholder="Name …"
        value={text}
        onChange={(event) => onChange(withText(event.target.value))}
      />
      <Segments
        label="Which providers"
        value={show}
        options={SHOWN.map((value) => ({
          value,
          label: value === 'troubled' && troubled > 0 ? `${SHOWN_LABELS[value]} (${troubled})` : SHOWN_LABELS[value],
        }))}
        onChange={(value) => onChange(withShown(value))}
      />
    </div>
  );
}

const COLUMNS: readonly Column<Provider>[] = [
  { id: 'name', head: 'Provider', width: 220, cell: ({ name }) => <span className="providers-name">{name}</span> },
  { id: 'set-up', head: 'Gateway’s account', width: 170, cell: (provider) => <SetUpCell provider={provider} /> },
  { id: 'own', head: 'Own keys', width: 100, isNumber: true, cell: ({ own_keys: count }) => (count === 0 ? <None /> : formatCount(count)) },
  { id: 'health', head: 'Health', width: 140, cell: ({ health }) => <HealthBadge {...health} /> },
  {
    id: 'errors',
    head: 'Errors',
    width: 90,
    isNumber: true,
    cell: ({ health }) => <ErrorShare share={health.error_share} isThin={health.has_few_attempts} />,
  },
  { id: 'latency', head: 'First byte', width: 110, isNumber: true, cell: ({ health }) => <Latency latency={health.latency_ms} /> },
  { id: 'until', head: 'Left out until', width: 140, cell: ({ health }) => <LeftOutUntil until={health.ejected_until} /> },
  {
    id: 'models',
    head: 'Models',
    width: 90,
    isNumber: true,
    cell: ({ id, name, models }) =>
      models === 0 ? (
        <None />
      ) : (
        <Link to="/models" search={{ provider: id }}>
          {formatCount(models)}
          <span className="visually-hidden"> models of {name}</span>
        </Link>
      ),
  },
];

function SetUpCell({ provider }: { readonly provider: Provider }) {
  const count = provider.accounts.length;
  return (
    <span className="row">
      <SetUpBadge {...provider} />
      {count > 1 && <span className="quiet">{formatCount(count)} accounts</span>}
    </span>
  );
}

function None() {
  return <span className="quiet">–</span>;
}
