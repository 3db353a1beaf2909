import { useState } from 'react';
import { Button, Chip, Icon, Popover, Select, TextField } from '../../design';
import { CHOSEN_DIMENSIONS, describeDimension, DIMENSIONS, isDimension } from './dimensions';
import { addFilter, removeFilter, type Filter } from './overview-search';
import { useNames } from './usage-queries';
import type { View } from './view';

export function FilterBar({ view: { search, filters, change } }: { readonly view: View }) {
  return (
    <div className="row">
      {filters.map((filter) => (
        <FilterChip key={`${filter.dimension}=${filter.value}`} filter={filter} onRemove={() => change(removeFilter(search, filter))} />
      ))}
      <AddFilter onAdd={(filter) => change(addFilter(search, filter))} />
    </div>
  );
}

function FilterChip({ filter: { dimension, value }, onRemove }: { readonly filter: Filter; readonly onRemove: () => void }) {
  const nameOf = useNames(dimension, [value]);
  return <Chip text={`${describeDimension(dimension)}: ${nameOf(value)}`} onRemove={onRemove} />;
}

const OPTIONS = [...DIMENSIONS, ...CHOSEN_DIMENSIONS].map((value) => ({ value, label: describeDimension(value) }));

function AddFilter({ onAdd }: { readonly onAdd: (filter: Filter) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState('model_used');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const needsName = CHOSEN_DIMENSIONS.includes(kind);
  const dimension = needsName ? `${kind}.${name}` : kind;
  const isReady = isDimension(dimension) && value !== '';
  const add = (): void => {
    onAdd({ dimension, value });
    setValue('');
    setOpen(false);
  };
  const trigger = (
    <Button>
      <Icon name="filter" />
      Filter
    </Button>
  );
  return (
    <Popover label="Add a filter" trigger={trigger} isOpen={isOpen} onOpenChange={setOpen}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) add();
        }}
      >
        <Select label="What" value={kind} options={OPTIONS} onChange={setKind} />
        {needsName && <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />}
        <TextField
          label="Is"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          hint="Exactly; “Unknown” is usage without one."
        />
        <Button type="submit" kind="primary" disabled={!isReady}>
          Add the filter
        </Button>
      </form>
    </Popover>
  );
}
