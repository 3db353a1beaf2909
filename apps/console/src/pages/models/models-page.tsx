import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api';
import { Button, EmptyState, ListExport, Loaded, LoadingState, Notice, PageHead, Table } from '../../design';
import { formatCount } from '../../format/numbers';
import { ComparePanel } from './compare-panel';
import { filterModels, type Model } from './filter-models';
import { listModelColumns } from './model-columns';
import { ModelDialog } from './model-dialog';
import { MODEL_CSV } from './models-csv';
import { ModelFilters } from './model-filters';
import { changeSearch, toggleCompared, type ModelsSearch } from './models-search';
import './models.css';

const route = getRouteApi('/shell/models');

export function ModelsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const models = useQuery({
    queryKey: ['models', 'list'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/models/all', { signal }))) as { readonly data: readonly Model[] },
  });
  // Opening a panel or choosing a model is no reason to jump to the top.
  const show = (next: ModelsSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <>
      <PageHead title="Models" about="All that can be called with the key of this session, aliases and policies too." />
      <Loaded query={models} loading={<LoadingState lines={12} />}>
        {({ data }) => <ModelParts models={data} search={search} onChange={show} />}
      </Loaded>
    </>
  );
}

type ModelPartsProps = {
  readonly models: readonly Model[];
  readonly search: ModelsSearch;
  readonly onChange: (search: ModelsSearch) => void;
};

function ModelParts({ models, search, onChange }: ModelPartsProps) {
  const rows = filterModels(models, search);
  const opened = models.find(({ id }) => id === search.model);
  return (
    <>
      <ComparePanel models={models} search={search} onChange={onChange} />
      <div className="stack">
        <ModelFilters models={models} search={search} onChange={onChange} />
        {search.model !== undefined && opened === undefined && (
          <Notice kind="warn">
            <code>{search.model}</code> cannot be called with this key.
          </Notice>
        )}
        <div className="panel models-panel">
          <Table<Model>
            label="Models"
            columns={listModelColumns(search, (id) => onChange(toggleCompared(search, id)))}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <NoModels
                hasAny={models.length > 0}
                onClear={() => onChange(search.compare === undefined ? {} : { compare: search.compare })}
              />
            }
            maxHeight="calc(100dvh - 280px)"
          />
        </div>
        <div className="spread">
          <span className="quiet" role="status">
            {formatCount(rows.length)} of {formatCount(models.length)} models
          </span>
          <ListExport name="models" columns={MODEL_CSV} rows={rows} />
        </div>
      </div>
      {opened !== undefined && (
        <ModelDialog
          model={opened}
          client={search.client}
          onClient={(client) => onChange({ ...search, client })}
          onClose={() => onChange(changeSearch(search, { model: undefined, client: undefined }))}
        />
      )}
    </>
  );
}

function NoModels({ hasAny, onClear }: { readonly hasAny: boolean; readonly onClear: () => void }) {
  if (hasAny) return <EmptyState title="No model fits" action={<Button onClick={onClear}>Clear search and filters</Button>} />;
  return (
    <EmptyState
      title="No model can be called with this key"
      text="Its access lists allow none of the models whose provider is set up here. An administrator can change either."
    />
  );
}
