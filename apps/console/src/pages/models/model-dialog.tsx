import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { Badge, CopyButton, Dialog, Select, Time } from '../../design';
import { formatCount } from '../../format/numbers';
import { findProvider, listFeatures, type Model } from './filter-models';
import type { PlaygroundSearch } from '../playground/playground-search';
import { KeysPanel } from './keys-panel';
import { PriceList } from './price-list';
import { describeRetention, describeTraining } from './retention';
import { KEY_PLACEHOLDER, listSnippets } from './snippets';

type ModelDialogProps = {
  readonly model: Model;
  readonly client: string | undefined;
  readonly onClient: (client: string) => void;
  readonly onClose: () => void;
};

/** Where in the playground a model is tried, by its kind. */
const PLAYGROUND_OF: Partial<Record<Model['api'], PlaygroundSearch>> = {
  chat: {},
  image: { tab: 'images' },
  speech: { tab: 'speech' },
  transcription: { tab: 'transcription' },
};

/** Everything known of a model, and the lines to call it with. */
export function ModelDialog({ model, client, onClient, onClose }: ModelDialogProps) {
  return (
    <Dialog isOpen isWide onClose={onClose} title={model.id} about={model.description}>
      <div className="stack">
        <div className="row">
          <CopyButton text={model.id} label="Copy the model’s id" />
          {listFeatures(model).map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
        </div>
        <Snippets model={model} client={client} onClient={onClient} />
        <h3>Prices</h3>
        <PriceList model={model} />
        <h3>Facts</h3>
        <Facts model={model} />
        <span className="row">
          <KeysPanel model={model} />
          <Link to="/requests" search={{ model: [model.id] }}>
            Requests to this model
          </Link>
          {PLAYGROUND_OF[model.api] !== undefined && (
            <Link to="/playground" search={{ ...PLAYGROUND_OF[model.api], model: [model.id] }}>
              Try it in the playground
            </Link>
          )}
        </span>
      </div>
    </Dialog>
  );
}

function Snippets({ model, client, onClient }: Pick<ModelDialogProps, 'model' | 'client' | 'onClient'>) {
  const snippets = listSnippets({ model: model.id, api: model.api, origin: window.location.origin });
  const snippet = snippets.find(({ id }) => id === client) ?? snippets[0];
  if (snippet === undefined) return null;
  return (
    <div className="stack models-snippet">
      <div className="spread">
        <Select
          label="Call it with"
          value={snippet.id}
          options={snippets.map(({ id, label }) => ({ value: id, label }))}
          onChange={onClient}
        />
        <CopyButton text={snippet.text} label={`Copy the lines for ${snippet.label}`} />
      </div>
      <p className="quiet">
        {snippet.about}. Put a key in the place of <code>{KEY_PLACEHOLDER}</code>.
      </p>
      <pre tabIndex={0}>{snippet.text}</pre>
    </div>
  );
}

function Facts({ model }: { readonly model: Model }) {
  const { context_window: context, max_output_tokens: maximum, privacy_comments: comments, retires, family, model_lab: lab } = model;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Provider', findProvider(model)],
    ['Made by', lab],
    ['Family', family],
    ['Context', context === undefined ? undefined : `${formatCount(context)} tokens`],
    ['Maximum output', maximum === undefined ? undefined : `${formatCount(maximum)} tokens`],
    ['Region', model.geolocation],
    ['Retention', describeRetention(model)],
    ['Training', describeTraining(model)],
    ['Privacy', comments],
    ['Quantization', model.quantization],
    ['Released', <Time key="released" at={new Date(model.created * 1000)} form="day" />],
    ['Retires', retires === undefined ? undefined : <Time key="retires" at={new Date(retires * 1000)} form="day" />],
  ];
  return (
    <dl className="models-facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
