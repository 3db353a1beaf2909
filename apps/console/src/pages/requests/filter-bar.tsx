import { Button, Chip, Select } from '../../design';
import { formatTime } from '../../format/times';
import { AddFilter } from './add-filter';
import { describeStatus, FILTERS } from './filter-words';
import {
  listApplied,
  RANGES,
  withFilter,
  withoutFilter,
  withoutFilters,
  type AppliedFilter,
  type Range,
  type RequestsSearch,
} from './requests-search';
import { useNames, type Named } from './use-names';

type FilterBarProps = {
  readonly search: RequestsSearch;
  /** Names of keys that are in the list anyway. */
  readonly keyNames: ReadonlyMap<string, string>;
  readonly onChange: (search: RequestsSearch) => void;
};

const RANGE_WORDS: Readonly<Record<Range, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
const RANGE_OPTIONS = [{ value: '', label: 'All that is kept' }, ...RANGES.map((value) => ({ value, label: RANGE_WORDS[value] }))];

/** What the list is narrowed to: all of it stands in the address. */
export function FilterBar({ search, keyNames, onChange }: FilterBarProps) {
  const applied = listApplied(search);
  const groups = useNames(search.group_id === undefined ? undefined : 'group');
  const members = useNames(search.user_id === undefined ? undefined : 'member');
  const keys = useNames(search.api_key_id?.some((id) => !keyNames.has(id)) === true ? 'key' : undefined);
  const names = new Map([...keyNames, ...[...groups, ...members, ...keys].map(({ value, label }: Named) => [value, label] as const)]);
  const { range: _range, ...withoutRange } = search;
  return (
    <div className="row requests-filters">
      <Select
        label="Range"
        isLabelHidden
        value={search.range ?? ''}
        options={RANGE_OPTIONS}
        disabled={search.start !== undefined}
        onChange={(value) => onChange(value === '' ? withoutRange : { ...withoutRange, range: value as Range })}
      />
      <AddFilter onAdd={(filter) => onChange(withFilter(search, filter))} />
      {applied.map((filter) => (
        <Chip
          key={`${filter.filter}=${filter.value}`}
          text={describe(filter, names)}
          onRemove={() => onChange(withoutFilter(search, filter))}
        />
      ))}
      {applied.length > 1 && (
        <Button kind="plain" onClick={() => onChange(withoutFilters(search))}>
          Clear all
        </Button>
      )}
    </div>
  );
}

function describe({ filter, value }: AppliedFilter, names: ReadonlyMap<string, string>): string {
  const { label } = FILTERS[filter];
  if (filter === 'status') return `${label}: ${value === 'error' ? 'every error' : describeStatus(value).text}`;
  if (filter === 'start' || filter === 'end') return `${label}: ${formatTime(new Date(value), 'moment')}`;
  if (filter === 'min_cost' || filter === 'max_cost') return `${label}: $${value}`;
  if (filter === 'min_ms' || filter === 'max_ms') return `${label}: ${value} ms`;
  return `${label}: ${names.get(value) ?? value}`;
}
