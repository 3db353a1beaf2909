import { useId, useState } from 'react';
import { Button, Icon, Popover, TextField } from '../../design';
import { filterModels, findProvider, type Model } from '../models/filter-models';
import { perMillion } from '../models/list-prices';
import './model-picker.css';

type ModelPickerProps = {
  /** What it is for: "Model", "Second model". */
  readonly label: string;
  readonly placeholder?: string;
  readonly models: readonly Model[];
  readonly value: string | undefined;
  readonly onChange: (model: string) => void;
};

const SHOWN_MAX = 60;

/** One of many models, found by words of its name. */
export function ModelPicker({ label, placeholder = 'Choose a model', models, value, onChange }: ModelPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const choose = (model: string): void => {
    setOpen(false);
    if (model !== value) onChange(model);
  };
  return (
    <Popover
      label={label}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button className="playground-picker" aria-labelledby={`${id}-label ${id}-value`}>
          <span id={`${id}-label`} className="visually-hidden">
            {label}
          </span>
          <span id={`${id}-value`} className="playground-picked">
            {value ?? placeholder}
          </span>
          <Icon name="down" size={14} />
        </Button>
      }
    >
      <Choices models={models} value={value} onChoose={choose} />
    </Popover>
  );
}

type ChoicesProps = { readonly models: readonly Model[]; readonly value: string | undefined; readonly onChoose: (model: string) => void };

function Choices({ models, value, onChoose }: ChoicesProps) {
  const [text, setText] = useState('');
  const found = filterModels(models, text === '' ? {} : { q: text });
  const shown = found.slice(0, SHOWN_MAX);
  return (
    <form
      className="playground-choices"
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = shown;
        if (first !== undefined) onChoose(first.id);
      }}
    >
      <TextField
        label="Find a model"
        placeholder="Words of its name; Enter takes the first"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul aria-label="Models">
        {shown.map((model) => (
          <li key={model.id}>
            <button type="button" className="playground-choice" aria-pressed={model.id === value} onClick={() => onChoose(model.id)}>
              <span>{model.id}</span>
              <span className="quiet">{describe(model)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="quiet" role="status">
        {found.length === 0 ? 'No model that your key may use is called so.' : describeRest(found.length)}
      </p>
    </form>
  );
}

function describe(model: Model): string {
  if (model.input_price === undefined || model.output_price === undefined) return findProvider(model);
  return `${perMillion(model.input_price)} in, ${perMillion(model.output_price)} out a million tokens`;
}

function describeRest(count: number): string {
  if (count > SHOWN_MAX) return `The first ${SHOWN_MAX} of ${count}. More words find the others.`;
  return count === 1 ? '1 model' : `${count} models`;
}
