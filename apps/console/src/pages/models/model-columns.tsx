import { Link } from '@tanstack/react-router';
import { Badge, Exact, type Column } from '../../design';
import { formatCount, formatShortCount } from '../../format/numbers';
import { findProvider, listFeatures, type Model } from './filter-models';
import { listPrices, perMillion } from './list-prices';
import { COMPARED_MAX, type ModelsSearch } from './models-search';
import { describeRetention } from './retention';

const SHOWN_FEATURES = 3;

export function listModelColumns(search: ModelsSearch, onCompare: (id: string) => void): readonly Column<Model>[] {
  return [
    { id: 'id', head: 'Model', width: 300, cell: (model) => <Name model={model} search={search} /> },
    { id: 'compare', head: 'Compare', width: 90, cell: ({ id }) => <CompareBox id={id} search={search} onCompare={onCompare} /> },
    { id: 'provider', head: 'Provider', width: 120, cell: findProvider },
    { id: 'modality', head: 'Modality', width: 120, cell: ({ api }) => api },
    { id: 'input', head: 'Input / M', width: 110, isNumber: true, cell: (model) => <TierPrice model={model} price={model.input_price} /> },
    {
      id: 'output',
      head: 'Output / M',
      width: 110,
      isNumber: true,
      cell: (model) => <TierPrice model={model} price={model.output_price} />,
    },
    {
      id: 'cached',
      head: 'Cached / M',
      width: 110,
      isNumber: true,
      cell: (model) => <TierPrice model={model} price={model.cached_price} />,
    },
    { id: 'context', head: 'Context', width: 100, isNumber: true, cell: (model) => <Tokens count={model.context_window} /> },
    { id: 'maximum', head: 'Max. output', width: 110, isNumber: true, cell: (model) => <Tokens count={model.max_output_tokens} /> },
    { id: 'features', head: 'Features', width: 250, cell: (model) => <Features model={model} /> },
    { id: 'region', head: 'Region', width: 90, cell: ({ geolocation }) => (geolocation === 'unknown' ? <Nothing /> : geolocation) },
    { id: 'retention', head: 'Retention', width: 130, cell: describeRetention },
  ];
}

export function Nothing() {
  return <span className="quiet">–</span>;
}

function Name({ model: { id }, search }: { readonly model: Model; readonly search: ModelsSearch }) {
  return (
    <Link to="/models" search={{ ...search, model: id }} resetScroll={false} className="models-name" data-tip={id}>
      {id}
    </Link>
  );
}

type CompareBoxProps = { readonly id: string; readonly search: ModelsSearch; readonly onCompare: (id: string) => void };

function CompareBox({ id, search: { compare = [] }, onCompare }: CompareBoxProps) {
  const isCompared = compare.includes(id);
  const isFull = compare.length >= COMPARED_MAX && !isCompared;
  return (
    <input
      type="checkbox"
      className="models-box"
      aria-label={`Compare ${id}`}
      checked={isCompared}
      disabled={isFull}
      onChange={() => onCompare(id)}
    />
  );
}

/** Of the first tier; that there are more is said here, and what they are in the panel. */
function TierPrice({ model, price }: { readonly model: Model; readonly price: number | undefined }) {
  if (price === undefined) return <OtherPrice model={model} />;
  const hasTiers = Array.isArray(model.pricing) && model.pricing.length > 1;
  if (!hasTiers) return <span className="number">{perMillion(price)}</span>;
  return (
    <span className="number exact" data-tip="More for long prompts: open the model for its tiers" tabIndex={0}>
      {perMillion(price)}+
    </span>
  );
}

/** What is not priced by tokens of a prompt has its prices in the panel. */
function OtherPrice({ model }: { readonly model: Model }) {
  const prices = listPrices(model)[0]?.prices ?? [];
  if (Array.isArray(model.pricing) || prices.length === 0) return <Nothing />;
  return (
    <span className="quiet exact" tabIndex={0} data-tip={prices.map(({ name, amount, per }) => `${name}: ${amount} per ${per}`).join('; ')}>
      by unit
    </span>
  );
}

export function Tokens({ count }: { readonly count: number | undefined }) {
  return count === undefined ? <Nothing /> : <Exact shown={formatShortCount(count)} exact={formatCount(count)} />;
}

function Features({ model }: { readonly model: Model }) {
  const features = listFeatures(model);
  const more = features.slice(SHOWN_FEATURES);
  if (features.length === 0) return <Nothing />;
  return (
    <span className="models-features">
      {features.slice(0, SHOWN_FEATURES).map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
      {more.length > 0 && (
        <span className="quiet" data-tip={more.join(', ')} tabIndex={0}>
          +{more.length}
        </span>
      )}
    </span>
  );
}
