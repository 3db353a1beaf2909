import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Loaded, LoadingState, Money, TextField, Tile } from '../../design';
import { formatCount } from '../../format/numbers';
import type { Model } from '../models/filter-models';
import { PriceList } from '../models/price-list';
import { ModelPicker } from '../playground/model-picker';
import '../models/models.css';
import { EMPTY_ESTIMATE, estimateCost, findEstimateErrors, type CostEstimate, type EstimateForm } from './estimate-cost';

/** What a model would cost for requests of a size, by the prices of today. */
export function EstimatePanel() {
  const models = useQuery({
    queryKey: ['models', 'list'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/models/all', { signal }))) as { readonly data: readonly Model[] },
  });
  return (
    <Loaded query={models} loading={<LoadingState lines={6} />}>
      {({ data }) => <Calculator models={data.filter(({ api: made, id }) => made === 'chat' && !id.startsWith('policy/'))} />}
    </Loaded>
  );
}

const FIELDS: readonly (readonly [name: keyof EstimateForm, label: string, hint: string])[] = [
  ['requests', 'Requests a day', 'All alike'],
  ['input', 'Tokens in', 'Of one request, the cached ones too'],
  ['cached', 'Of them cached', 'Read from the provider’s cache'],
  ['output', 'Tokens out', 'Of one request, reasoning too'],
  ['days', 'Days a month', 'On which requests are made'],
];

function Calculator({ models }: { readonly models: readonly Model[] }) {
  const [chosen, setChosen] = useState<string>();
  const [form, setForm] = useState<EstimateForm>(EMPTY_ESTIMATE);
  const model = models.find(({ id }) => id === chosen);
  const errors = findEstimateErrors(form);
  const cost = model !== undefined && Object.keys(errors).length === 0 ? estimateCost(model, form) : undefined;
  return (
    <div className="money-stack">
      <section className="panel panel-body stack" aria-labelledby="money-estimate">
        <h2 id="money-estimate">What would it cost?</h2>
        <ModelPicker label="Model" models={models} value={chosen} onChange={setChosen} />
        <div className="money-estimate">
          {FIELDS.map(([name, label, hint]) => (
            <TextField
              key={name}
              label={label}
              hint={hint}
              inputMode="numeric"
              value={form[name]}
              error={errors[name]}
              onChange={(event) => setForm({ ...form, [name]: event.target.value })}
            />
          ))}
        </div>
        <p className="quiet">
          By the exact prices of the catalogue today. What providers charge for writing to a cache, for searches and for failed attempts is
          not in it, and neither are policies, whose cost depends on where they send.
        </p>
      </section>
      {cost === undefined ? <p className="quiet">{model === undefined ? 'Choose a model.' : ''}</p> : <Costs cost={cost} />}
      {model !== undefined && (
        <section className="panel panel-body stack" aria-labelledby="money-estimate-prices">
          <h2 id="money-estimate-prices">Prices of {model.id}</h2>
          <PriceList model={model} />
        </section>
      )}
    </div>
  );
}

function Costs({ cost: { request, day, month, tierFrom } }: { readonly cost: CostEstimate }) {
  return (
    <section className="panel" aria-label="Cost">
      <div className="money-tiles" aria-live="polite">
        <Tile label="A request" value={<Money amount={request} />} />
        <Tile label="A day" value={<Money amount={day} />} />
        <Tile label="A month" value={<Money amount={month} />} />
      </div>
      {tierFrom > 0 && <p className="panel-body quiet">At the prices of prompts above {formatCount(tierFrom)} tokens.</p>}
    </section>
  );
}
