import { Time, type Column } from '../../design';
import type { AuditFilterName } from './audit-search';
import { describeAction, nameTarget, summarize, type Entry } from './describe-entry';

export type Narrow = (name: AuditFilterName, value: string) => void;

/** Who and which can be clicked: then only such changes are listed. */
export function listColumns(narrow: Narrow): Column<Entry>[] {
  return [
    { id: 'action', head: 'What', width: 200, cell: ({ action }) => <span className="audit-what">{describeAction(action)}</span> },
    { id: 'at', head: 'When', width: 170, cell: ({ at }) => <Time at={at} form="second" /> },
    {
      id: 'actor',
      head: 'Who',
      width: 200,
      cell: ({ actor }) => <Narrowing text={nameActor(actor)} label="Only changes by" onClick={() => narrow('actor', actor.id ?? '')} />,
    },
    {
      id: 'target',
      head: 'Of what',
      width: 240,
      cell: (entry) => (
        <span className="audit-target">
          <Narrowing text={nameTarget(entry)} label="Only changes of" onClick={() => narrow('target', entry.target.id ?? '')} />
          <span className="quiet">{entry.target.kind.replaceAll('-', ' ').replace('api', 'API')}</span>
        </span>
      ),
    },
    { id: 'fields', head: 'Changed', width: 260, cell: (entry) => <span className="quiet">{summarize(entry)}</span> },
    { id: 'ip', head: 'From', width: 140, cell: ({ ip }) => <span className="number">{ip ?? '–'}</span> },
  ];
}

export function nameActor({ kind, id, name }: Entry['actor']): string {
  if (name !== null) return name;
  if (kind === 'operator') return 'the operator';
  return id === null ? kind : `${kind === 'api-key' ? 'key' : kind} ${id.slice(0, 8)}`;
}

type NarrowingProps = { readonly text: string; readonly label: string; readonly onClick: () => void };

export function Narrowing({ text, label, onClick }: NarrowingProps) {
  return (
    <button type="button" className="audit-narrow" onClick={onClick} aria-label={`${label} ${text}`} data-tip={`${label} ${text}`}>
      {text}
    </button>
  );
}
