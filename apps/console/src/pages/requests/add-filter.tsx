import { useId, useState, type FormEvent } from 'react';
import { Button, Icon, Popover, Select, TextField } from '../../design';
import { FILTERS, MODALITY_OPTIONS, STATUS_OPTIONS } from './filter-words';
import { hasShape, isSingle, SEVERAL, SINGLE, type AppliedFilter, type RequestFilter } from './requests-search';
import { useNames, type Named } from './use-names';

type AddFilterProps = { readonly onAdd: (filter: AppliedFilter) => void };

const CHOICES = [...SEVERAL, ...SINGLE].map((value) => ({ value, label: FILTERS[value].label }));

/** A button that asks for one more filter. */
export function AddFilter({ onAdd }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const trigger = (
    <Button>
      <Icon name="filter" /> Filter
    </Button>
  );
  return (
    <Popover trigger={trigger} label="Add a filter" isOpen={isOpen} onOpenChange={setOpen}>
      <FilterForm
        onAdd={(filter) => {
          setOpen(false);
          onAdd(filter);
        }}
      />
    </Popover>
  );
}

function FilterForm({ onAdd }: AddFilterProps) {
  const [filter, setFilter] = useState<RequestFilter>('status');
  const [value, setValue] = useState('error');
  const [error, setError] = useState<string | undefined>(undefined);
  const choose = (chosen: string): void => {
    const next = CHOICES.find((choice) => choice.value === chosen)?.value ?? 'status';
    setFilter(next);
    setValue(findOptions(next)?.[0]?.value ?? '');
    setError(undefined);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = value.trim();
    if (isFit(filter, text)) onAdd({ filter, value: filter === 'start' || filter === 'end' ? new Date(text).toISOString() : text });
    else setError(FILTERS[filter].error ?? 'Write a value.');
  };
  return (
    <form className="stack requests-filter-form" onSubmit={submit} noValidate>
      <Select label="Requests by" value={filter} options={CHOICES} onChange={choose} />
      <ValueField filter={filter} value={value} error={error} onChange={setValue} />
      <Button type="submit" kind="primary">
        Add
      </Button>
    </form>
  );
}

type ValueFieldProps = {
  readonly filter: RequestFilter;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
};

function ValueField({ filter, value, error, onChange }: ValueFieldProps) {
  const list = useId();
  const { kind, hint } = FILTERS[filter];
  const names = useNames(kind === 'choice' || kind === 'text' || kind === 'instant' ? undefined : kind);
  const options = findOptions(filter);
  if (options !== undefined) return <Select label="Value" value={value} options={options} onChange={onChange} />;
  if (kind !== 'model' && names.length > 0) {
    return (
      <Select
        label="Value"
        value={value}
        options={[{ value: '', label: 'Choose…' }, ...names]}
        onChange={onChange}
        {...(error === undefined ? {} : { error })}
      />
    );
  }
  return (
    <>
      <TextField
        label="Value"
        type={kind === 'instant' ? 'datetime-local' : 'text'}
        value={value}
        error={error}
        hint={hint}
        list={names.length > 0 ? list : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {names.length > 0 && <Suggestions id={list} names={names} />}
    </>
  );
}

function Suggestions({ id, names }: { readonly id: string; readonly names: readonly Named[] }) {
  return (
    <datalist id={id}>
      {names.map(({ value }) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

function findOptions(filter: RequestFilter): readonly Named[] | undefined {
  if (filter === 'status') return STATUS_OPTIONS;
  return filter === 'modality' ? MODALITY_OPTIONS : undefined;
}

function isFit(filter: RequestFilter, text: string): boolean {
  if (text === '') return false;
  if (filter === 'label') return text.indexOf('=') > 0 && !text.endsWith('=');
  return !isSingle(filter) || hasShape(filter, text);
}
