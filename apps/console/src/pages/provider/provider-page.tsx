import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Badge, CopyButton, EmptyState, ListExport, Loaded, PageHead, Table, Tile, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import { ErrorShare, HealthBadge, Latency, LeftOutUntil, SetUpBadge } from '../providers/health-parts';
import { credentialsQuery, providersQuery, type Provider } from '../providers/provider-list';
import { SeenBy } from '../providers/providers-page';
import '../providers/providers.css';
import { AccountsPanel } from './accounts-panel';
import { OwnKeysPanel } from './own-keys-panel';

const route = getRouteApi('/shell/providers/$id');

export function ProviderPage() {
  const { id } = route.useParams();
  const providers = useQuery(providersQuery);
  const provider = providers.data?.providers.find((one) => one.id === id);
  return (
    <>
      <PageHead
        title={provider?.name ?? id}
        about={
          <>
            A provider, known here as <code>{id}</code>.
          </>
        }
        actions={<Link to="/providers">All providers</Link>}
      />
      <Loaded query={providers}>
        {(data) =>
          provider === undefined ? (
            <div className="panel">
              <EmptyState title="There is no such provider" action={<Link to="/providers">All providers</Link>} />
            </div>
          ) : (
            <>
              <SeenBy data={data} />
              <HealthTiles provider={provider} />
              <SetUpPanel provider={provider} />
              <AccountsPanel provider={provider} />
              {(provider.key_ways.length > 0 || provider.own_keys > 0) && <OwnKeysPanel provider={provider} />}
              <PlacesPanel provider={provider} />
              <ModelsPanel provider={provider} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function HealthTiles({ provider: { id, name, health, models, regions } }: { readonly provider: Provider }) {
  const offered =
    models === 0 ? (
      '0'
    ) : (
      <Link to="/models" search={{ provider: id }}>
        {formatCount(models)}
      </Link>
    );
  return (
    <section className="panel panel-body providers-tiles" aria-label={`How ${name} does`}>
      <Tile label="Health" value={<HealthBadge {...health} />} />
      <Tile label="Errors" value={<ErrorShare share={health.error_share} isThin={health.has_few_attempts} />} />
      <Tile label="First byte" value={<Latency latency={health.latency_ms} />} />
      <Tile label="Left out until" value={<LeftOutUntil until={health.ejected_until} />} />
      <Tile label="Models" value={offered} />
      <Tile label="Regions" value={regions.length === 0 ? '–' : regions.length <= 2 ? regions.join(', ') : formatCount(regions.length)} />
    </section>
  );
}

/** Names of settings, never values: those are the operator's. */
function SetUpPanel({ provider }: { readonly provider: Provider }) {
  const { needs, is_set_up: isSetUp, name } = provider;
  return (
    <section className="panel panel-body stack" aria-labelledby="set-up">
      <div className="row">
        <h2 id="set-up">The gateway’s account</h2>
        <SetUpBadge is_set_up={isSetUp} />
      </div>
      {needs.length === 0 ? (
        <p className="quiet">{isSetUp === true ? 'It needs no setting.' : 'No process says what it needs.'}</p>
      ) : (
        <div className="providers-way">
          <p className="quiet">
            {isSetUp === true
              ? `${name} is set up for everyone on this gateway, by ${needs.length > 1 ? 'one of these' : 'these settings'}:`
              : `To set it up for everyone, the operator of the gateway sets ${needs.length > 1 ? 'one of these' : 'this'} in its environment, and starts it again:`}
          </p>
          {needs.map((way) => (
            <ul key={way.join()} className="providers-settings">
              {way.map((setting) => (
                <li key={setting}>
                  <code>{setting}</code>
                  <CopyButton text={setting} label={`Copy ${setting}`} />
                </li>
              ))}
            </ul>
          ))}
        </div>
      )}
    </section>
  );
}

type Place = Provider['places'][number];

const PLACE_CSV: readonly CsvColumn<Place>[] = [
  ['region', ({ region }) => region],
  ['provider_credential_id', ({ provider_credential_id: id }) => id],
  ['state', ({ state }) => state],
  ['error_share', ({ error_share: share }) => share],
  ['ejected_by', ({ ejected_by: count }) => count],
  ['ejected_until', ({ ejected_until: until }) => until],
];

function PlacesPanel({ provider }: { readonly provider: Provider }) {
  const names = new Map((useQuery(credentialsQuery).data ?? []).map(({ id, name }) => [id, name]));
  const columns: Column<Place>[] = [
    { id: 'region', head: 'Region', cell: ({ region }) => region ?? <span className="quiet">any</span> },
    {
      id: 'account',
      head: 'Account',
      cell: ({ provider_credential_id: id }) => (id === null ? 'the gateway’s' : <>own key “{names.get(id) ?? id}”</>),
    },
    { id: 'state', head: 'Health', cell: (place) => <HealthBadge {...place} /> },
    {
      id: 'errors',
      head: 'Errors',
      isNumber: true,
      cell: ({ error_share: share, has_few_attempts: isThin }) => <ErrorShare share={share} isThin={isThin} />,
    },
    {
      id: 'by',
      head: 'Left out by',
      cell: ({ ejected_by: count }) =>
        count === 0 ? <span className="quiet">–</span> : `${formatCount(count)} of ${formatCount(provider.health.seen_by)}`,
    },
    { id: 'until', head: 'Until', cell: ({ ejected_until: until }) => <LeftOutUntil until={until} /> },
  ];
  return (
    <div className="panel">
      <div className="panel-body spread">
        <div>
          <h2>Places</h2>
          <p className="quiet">What fails together, a region under one account, is left out together while it fails.</p>
        </div>
        {provider.places.length > 0 && <ListExport name={`places of ${provider.name}`} columns={PLACE_CSV} rows={provider.places} />}
      </div>
      <Table
        label="Places"
        columns={columns}
        rows={provider.places}
        rowKey={({ region, provider_credential_id: account }) => `${region} ${account}`}
        empty={<EmptyState title="Not used lately" text="What is sent there within the last minutes shows here." />}
      />
    </div>
  );
}

type ModelHealth = Provider['model_health'][number];

const MODEL_COLUMNS: readonly Column<ModelHealth>[] = [
  {
    id: 'model',
    head: 'Model',
    cell: ({ model }) => (
      <Link to="/models" search={{ model }}>
        {model}
      </Link>
    ),
  },
  {
    id: 'errors',
    head: 'Errors',
    isNumber: true,
    cell: ({ error_share: share, has_few_attempts: isThin }) => <ErrorShare share={share} isThin={isThin} />,
  },
  { id: 'latency', head: 'First byte', isNumber: true, cell: ({ latency_ms: latency }) => <Latency latency={latency} /> },
  {
    id: 'requests',
    head: 'Requests',
    cell: ({ model }) => (
      <Link to="/requests" search={{ model: [model] }}>
        Requests<span className="visually-hidden"> to {model}</span>
      </Link>
    ),
  },
];

const MODEL_CSV: readonly CsvColumn<ModelHealth>[] = [
  ['model', ({ model }) => model],
  ['error_share', ({ error_share: share }) => share],
  ['has_few_attempts', ({ has_few_attempts: isThin }) => isThin],
  ['stream_ms', ({ latency_ms: latency }) => latency.stream],
  ['whole_ms', ({ latency_ms: latency }) => latency.whole],
];

function ModelsPanel({ provider: { name, model_health: models } }: { readonly provider: Provider }) {
  if (models.length === 0) return null;
  return (
    <div className="panel">
      <div className="panel-body spread">
        <div className="row">
          <h2>Models used lately</h2>
          <Badge>busiest first</Badge>
        </div>
        <ListExport name={`models of ${name}`} columns={MODEL_CSV} rows={models} />
      </div>
      <Table label="Models used lately" columns={MODEL_COLUMNS} rows={models} rowKey={({ model }) => model} />
    </div>
  );
}
