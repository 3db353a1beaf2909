import type { ReactNode } from 'react';
import { Button, Chip } from '../../design';
import { findProvider, listFeatures, type Model } from './filter-models';
import { Nothing, Tokens } from './model-columns';
import { changeSearch, COMPARED_MAX, toggleCompared, type ModelsSearch } from './models-search';
import { PriceList } from './price-list';
import { describeRetention, describeTraining } from './retention';

type ComparePanelProps = {
  readonly models: readonly Model[];
  readonly search: ModelsSearch;
  readonly onChange: (search: ModelsSearch) => void;
};

const LINES: readonly (readonly [name: string, cell: (model: Model) => ReactNode])[] = [
  ['Provider', findProvider],
  ['Modality', ({ api }) => api],
  ['Prices', (model) => <PriceList model={model} />],
  ['Context', (model) => <Tokens count={model.context_window} />],
  ['Maximum output', (model) => <Tokens count={model.max_output_tokens} />],
  ['Features', (model) => <List items={listFeatures(model)} />],
  ['Region', ({ geolocation }) => geolocation],
  ['Retention', describeRetention],
  ['Training', describeTraining],
  ['Open weights', ({ open_weights: isOpen }) => (isOpen === undefined ? <Nothing /> : isOpen ? 'Yes' : 'No')],
];

/** Up to four side by side; which ones stands in the address. */
export function ComparePanel({ models, search, onChange }: ComparePanelProps) {
  const { compare = [] } = search;
  if (compare.length === 0) return null;
  const compared = compare.flatMap((id) => models.find((model) => model.id === id) ?? []);
  return (
    <section className="panel models-panel" aria-labelledby="models-compare">
      <div className="panel-body stack">
        <div className="spread">
          <h2 id="models-compare">Side by side</h2>
          <Button kind="plain" onClick={() => onChange(changeSearch(search, { compare: undefined }))}>
            Clear
          </Button>
        </div>
        <div className="row">
          {compare.map((id) => (
            <Chip
              key={id}
              text={compared.some((model) => model.id === id) ? id : `${id} (not there)`}
              onRemove={() => onChange(toggleCompared(search, id))}
            />
          ))}
          {compare.length < COMPARED_MAX && <span className="quiet">Tick up to {COMPARED_MAX} models below.</span>}
        </div>
      </div>
      {compared.length > 1 && <Comparison models={compared} />}
    </section>
  );
}

function Comparison({ models }: { readonly models: readonly Model[] }) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Comparison">
      <table className="models-comparison">
        <thead>
          <tr>
            <td />
            {models.map(({ id }) => (
              <th key={id} scope="col">
                {id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {LINES.map(([name, cell]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {models.map((model) => (
                <td key={model.id}>{cell(model)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ items }: { readonly items: readonly string[] }) {
  return items.length === 0 ? <Nothing /> : <span>{items.join(', ')}</span>;
}
