import { Chip, Select, TextField } from '../../design';
import { nameActor } from './audit-columns';
import { AUDIT_FILTERS, toQuery, withFilter, withoutEntry, type AuditFilterName, type AuditSearch } from './audit-search';
import { describeAction, nameTarget, type Entry } from './describe-entry';

const KINDS = ['api-key', 'group', 'member', 'access-list', 'policy', 'alias', 'guardrail', 'provider-credential', 'alert', 'organization'];
const KIND_OPTIONS = [{ value: '', label: 'Anything' }, ...KINDS.map((kind) => ({ value: kind, label: describeAction(kind) }))];

type FiltersProps = {
  readonly search: AuditSearch;
  /** What is loaded, by which ids get their names. */
  readonly entries: readonly Entry[];
  readonly onChange: (search: AuditSearch) => void;
};

export function AuditFilters({ search, entries, onChange }: FiltersProps) {
  const set = (name: AuditFilterName, value: string): void => onChange(withFilter(withoutEntry(search), name, value));
  const chips = (['actor', 'action', 'target'] as const).filter((name) => search[name] !== undefined);
  return (
    <div className="stack">
      <div className="audit-filters">
        <TextField
          label="Search"
          type="search"
          placeholder="Name, id, address, value …"
          value={search.search ?? ''}
          onChange={(event) => set('search', event.target.value)}
        />
        <Select
          label="Changes of"
          value={search.target_kind ?? ''}
          options={KIND_OPTIONS}
          onChange={(value) => set('target_kind', value)}
        />
        <TextField label="From, UTC" type="date" value={search.start ?? ''} onChange={(event) => set('start', event.target.value)} />
        <TextField label="To, UTC" type="date" value={search.end ?? ''} onChange={(event) => set('end', event.target.value)} />
      </div>
      {chips.length > 0 && (
        <div className="row">
          {chips.map((name) => (
            <Chip key={name} text={describeFilter(name, search[name] ?? '', entries)} onRemove={() => set(name, '')} />
          ))}
        </div>
      )}
    </div>
  );
}

function describeFilter(name: 'actor' | 'action' | 'target', value: string, entries: readonly Entry[]): string {
  if (name === 'action') return `What: ${describeAction(value)}`;
  const entry = entries.find((one) => one[name].id === value);
  if (name === 'actor') return `By: ${entry === undefined ? value : nameActor(entry.actor)}`;
  return `Of: ${entry === undefined ? value : nameTarget(entry)}`;
}

/** What the filter selects, all of it, as a file that the gateway writes. */
export function AuditDownloads({ search }: { readonly search: AuditSearch }) {
  const query = toQuery(withoutEntry(search));
  const addressOf = (format: 'csv' | 'json'): string => {
    const parameters = new URLSearchParams({ format });
    for (const name of AUDIT_FILTERS) if (query[name] !== undefined) parameters.set(name, query[name]);
    return `/console/api/v1/manage/audit/export?${parameters.toString()}`;
  };
  return (
    <span className="row">
      <a className="button" href={addressOf('csv')} download>
        Download CSV
      </a>
      <a className="button" href={addressOf('json')} download>
        Download JSON
      </a>
    </span>
  );
}
