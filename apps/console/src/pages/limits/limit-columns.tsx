import { Badge, RowMenu, type Column } from '../../design';
import { ACTION_WORDS, writeFilters, writeTarget, type Names } from './limit-words';
import { LimitAmount, LimitFill } from './limit-fill';
import type { Limit } from './limits-queries';

export type LimitActions = {
  readonly edit: (limit: Limit) => void;
  readonly remove: (limit: Limit) => void;
  readonly showChanges: (limit: Limit) => void;
};

export const ACTION_KINDS = { refuse: 'bad', fallback: 'warn', alert: 'normal' } as const;

export function listLimitColumns(names: Names, actions: LimitActions, canChange: boolean): Column<Limit>[] {
  return [
    { id: 'name', head: 'Limit', width: 200, cell: ({ name }) => <span className="limits-name">{name}</span> },
    { id: 'target', head: 'Holds for', width: 210, cell: (limit) => <TargetCell limit={limit} names={names} /> },
    { id: 'amount', head: 'At most', width: 190, cell: (limit) => <LimitAmount limit={limit} /> },
    { id: 'fill', head: 'Used of the fullest', width: 270, cell: (limit) => <LimitFill limit={limit} names={names} /> },
    { id: 'action', head: 'When full', width: 150, cell: (limit) => <ActionCell limit={limit} /> },
    {
      id: 'actions',
      head: <span className="visually-hidden">Change or delete</span>,
      width: 64,
      cell: (limit) => <MenuCell limit={limit} actions={actions} canChange={canChange} />,
    },
  ];
}

function TargetCell({ limit, names }: { readonly limit: Limit; readonly names: Names }) {
  const filters = writeFilters(limit);
  return (
    <span className="limits-lines">
      <span>{writeTarget(limit, names)}</span>
      {filters !== '' && <span className="quiet limits-small">only {filters}</span>}
    </span>
  );
}

function ActionCell({ limit }: { readonly limit: Limit }) {
  return (
    <span className="limits-lines">
      <span>
        <Badge kind={ACTION_KINDS[limit.action]}>{ACTION_WORDS[limit.action]}</Badge>
      </span>
      {limit.fallback_model !== undefined && <span className="quiet limits-small">{limit.fallback_model}</span>}
    </span>
  );
}

type MenuCellProps = { readonly limit: Limit; readonly actions: LimitActions; readonly canChange: boolean };

function MenuCell({ limit, actions, canChange }: MenuCellProps) {
  const changes = { label: 'Who changed it', onSelect: () => actions.showChanges(limit) };
  const entries = canChange
    ? [
        { label: 'Change …', onSelect: () => actions.edit(limit) },
        changes,
        'line' as const,
        { label: 'Delete …', isDanger: true, onSelect: () => actions.remove(limit) },
      ]
    : [changes];
  return <RowMenu label={canChange ? `Change or delete ${limit.name}` : `More about ${limit.name}`} entries={entries} />;
}
