import { Link } from '@tanstack/react-router';
import { Badge, RowMenu, Time, type Column, type MenuEntry } from '../../design';
import type { Key } from '../administration/lists';
import { monthStart } from '../administration/month-start';
import { Labels, SpendBar } from '../administration/parts';
import type { Authority } from '../administration/use-authority';

export type KeyDialog = { readonly kind: 'change' | 'limits' | 'rotate' | 'revoke'; readonly key: Key };

type ColumnParts = {
  readonly groups: ReadonlyMap<string, string>;
  readonly accessLists: ReadonlyMap<string, string>;
  readonly authority: Authority;
  readonly open: (dialog: KeyDialog) => void;
};

const MANAGEMENT = { none: '', read: 'reads management', write: 'manages' } as const;
const CONTENTS = { none: '', read: 'reads contents' } as const;
const COMPLETIONS = { none: '', read: 'reads results', write: 'uses models' } as const;

export function listKeyColumns(parts: ColumnParts): Column<Key>[] {
  const { groups, accessLists, authority } = parts;
  const start = monthStart(new Date());
  const columns: Column<Key>[] = [
    { id: 'name', head: 'Key', width: 230, cell: (key) => <NameCell apiKey={key} /> },
    { id: 'owner', head: 'Owner', width: 190, cell: (key) => key.created_by?.email ?? <span className="quiet">the organization</span> },
    { id: 'group', head: 'Group', width: 140, cell: (key) => <GroupCell apiKey={key} names={groups} canOpen={authority.seesGroups} /> },
    {
      id: 'spend',
      head: 'Spent this month',
      width: 200,
      cell: (key) => (
        <SpendBar
          spent={key.monthly_spend}
          limit={key.monthly_limit}
          wrap={(spent) => (
            <Link to="/requests" search={{ api_key_id: [key.id], start }}>
              {spent}
              <span className="visually-hidden">: requests of {key.name}</span>
            </Link>
          )}
        />
      ),
    },
    { id: 'labels', head: 'Labels', width: 200, cell: (key) => <Labels labels={key.labels} /> },
    { id: 'may', head: 'May', width: 160, cell: (key) => <MayCell apiKey={key} accessLists={accessLists} /> },
    { id: 'state', head: 'State', width: 170, cell: (key) => <StateCell apiKey={key} /> },
  ];
  if (!authority.canWrite) return columns;
  const actions: Column<Key> = {
    id: 'actions',
    head: <span className="visually-hidden">Actions</span>,
    width: 64,
    cell: (key) => <ActionsCell apiKey={key} open={parts.open} seesLimits={authority.seesAll} />,
  };
  return [...columns, actions];
}

function NameCell({ apiKey }: { readonly apiKey: Key }) {
  return (
    <span className="keys-name">
      <span className="keys-title">{apiKey.name}</span>
      <span className="mono quiet">
        {apiKey.prefix}…{apiKey.last4}
      </span>
    </span>
  );
}

type GroupCellProps = { readonly apiKey: Key; readonly names: ReadonlyMap<string, string>; readonly canOpen: boolean };

function GroupCell({ apiKey, names, canOpen }: GroupCellProps) {
  if (apiKey.group === null) return <span className="quiet">none</span>;
  const { id } = apiKey.group;
  const name = names.get(id) ?? `${id.slice(0, 8)}…`;
  if (!canOpen || !names.has(id)) return name;
  return (
    <Link to="/groups/$id" params={{ id }}>
      {name}
    </Link>
  );
}

function MayCell({ apiKey, accessLists }: { readonly apiKey: Key; readonly accessLists: ReadonlyMap<string, string> }) {
  const { permissions, access_list_id: list } = apiKey;
  const words = [COMPLETIONS[permissions.completions], MANAGEMENT[permissions.manage], CONTENTS[permissions.contents]].filter(
    (word) => word !== '',
  );
  return (
    <span className="keys-name">
      <span>{words.length === 0 ? 'nothing' : words.join(', ')}</span>
      {list !== null && <span className="quiet">list: {accessLists.get(list) ?? `${list.slice(0, 8)}…`}</span>}
    </span>
  );
}

function StateCell({ apiKey }: { readonly apiKey: Key }) {
  const { status, expires_at: expiresAt } = apiKey;
  return (
    <span className="keys-name">
      <span>
        <Badge kind={status === 'active' ? 'good' : 'warn'}>{status}</Badge>
      </span>
      {expiresAt !== null && (
        <span className="quiet keys-small">
          {status === 'active' ? 'until ' : 'since '}
          <Time at={expiresAt} form="day" />
        </span>
      )}
    </span>
  );
}

type ActionsProps = { readonly apiKey: Key; readonly open: ColumnParts['open']; readonly seesLimits: boolean };

function ActionsCell({ apiKey, open, seesLimits }: ActionsProps) {
  const entries: MenuEntry[] = [
    { label: 'Change …', onSelect: () => open({ kind: 'change', key: apiKey }) },
    ...(seesLimits ? [{ label: 'Limits that bind it', onSelect: () => open({ kind: 'limits', key: apiKey }) }] : []),
    { label: 'Rotate …', onSelect: () => open({ kind: 'rotate', key: apiKey }), isDisabled: apiKey.status !== 'active' },
    'line',
    { label: 'Revoke …', onSelect: () => open({ kind: 'revoke', key: apiKey }), isDanger: true },
  ];
  return <RowMenu label={`Change, rotate or revoke ${apiKey.name}`} entries={entries} />;
}
