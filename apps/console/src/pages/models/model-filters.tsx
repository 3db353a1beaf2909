import { Chip, Select, TextField } from '../../design';
import { FEATURES, findProvider, listFeatures, listValues, type Model } from './filter-models';
import { changeSearch, MODALITIES, RETENTIONS, SORTS, type Change, type ModelsSearch } from './models-search';
import { RETENTION_WORDS } from './retention';

type ModelFiltersProps = {
  readonly models: readonly Model[];
  readonly search: ModelsSearch;
  readonly onChange: (search: ModelsSearch) => void;
};

const SORT_WORDS = {
  name: 'By name',
  input: 'Cheapest input first',
  output: 'Cheapest output first',
  context: 'Widest context first',
} as const;

type Option = { readonly value: string; readonly label: string };

const asOptions = (all: string, values: readonly string[]): Option[] => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: value })),
];

export function ModelFilters({ models, search, onChange }: ModelFiltersProps) {
  const change = (next: Change): void => onChange(changeSearch(search, next));
  const { feature = [] } = search;
  const modalities = MODALITIES.filter((modality) => models.some(({ api }) => api === modality));
  const present = FEATURES.map(([, label]) => label).filter((label) => models.some((model) => listFeatures(model).includes(label)));
  return (
    <>
      <div className="row models-filters">
        <TextField
          label="Search"
          isLabelHidden
          type="search"
          placeholder="Search"
          value={search.q ?? ''}
          onChange={(event) => change({ q: event.target.value === '' ? undefined : event.target.value })}
        />
        <Choice
          label="Modality"
          options={asOptions('Every modality', modalities)}
          value={search.modality}
          onChange={(modality) => change({ modality: modality as ModelsSearch['modality'] })}
        />
        <Choice
          label="Provider"
          options={asOptions('Every provider', listValues(models, findProvider))}
          value={search.provider}
          onChange={(provider) => change({ provider })}
        />
        <Choice
          label="Feature"
          options={asOptions(
            'Any feature',
            present.filter((label) => !feature.includes(label)),
          )}
          value=""
          onChange={(label) => label !== undefined && change({ feature: [...feature, label] })}
        />
        <Choice
          label="Region"
          options={asOptions(
            'Every region',
            listValues(models, ({ geolocation }) => geolocation),
          )}
          value={search.region}
          onChange={(region) => change({ region })}
        />
        <Choice
          label="Retention"
          options={[{ value: '', label: 'Any retention' }, ...RETENTIONS.map((value) => ({ value, label: RETENTION_WORDS[value] }))]}
          value={search.retention}
          onChange={(retention) => change({ retention: retention as ModelsSearch['retention'] })}
        />
        <Choice
          label="Order"
          options={SORTS.map((value) => ({ value: value === 'name' ? '' : value, label: SORT_WORDS[value] }))}
          value={search.sort}
          onChange={(sort) => change({ sort: sort as ModelsSearch['sort'] })}
        />
      </div>
      <Features chosen={feature} onChange={(left) => change({ feature: left.length === 0 ? undefined : left })} />
    </>
  );
}

type FeaturesProps = { readonly chosen: readonly string[]; readonly onChange: (left: string[]) => void };

function Features({ chosen, onChange }: FeaturesProps) {
  if (chosen.length === 0) return null;
  return (
    <div className="row">
      {chosen.map((label) => (
        <Chip key={label} text={label} onRemove={() => onChange(chosen.filter((one) => one !== label))} />
      ))}
    </div>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** Not shown where there is nothing to choose. */
function Choice({ label, options, value, onChange }: ChoiceProps) {
  if (options.length < 2) return null;
  return (
    <Select
      label={label}
      isLabelHidden
      options={options}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}
