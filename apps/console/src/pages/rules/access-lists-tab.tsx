import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Badge, Button, EmptyState, Icon, ListExport, Loaded, RowMenu, Table, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import { accessListsQuery, keysQuery, type AccessList } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import { AccessListDialog } from './access-list-dialog';
import { DeleteDialog } from './delete-dialog';
import { MODALITIES } from './patterns';

type Opened = { readonly list: AccessList | null } | undefined;

export function AccessListsTab() {
  const { canAdminister } = useAuthority();
  const [opened, setOpened] = useState<Opened>();
  const [deleted, setDeleted] = useState<AccessList>();
  const lists = useQuery(accessListsQuery);
  const usedBy = useUses();
  const actions = canAdminister ? { edit: (list: AccessList) => setOpened({ list }), remove: setDeleted } : undefined;
  return (
    <section className="panel" aria-labelledby="rules-access">
      <div className="panel-body spread">
        <div>
          <h2 id="rules-access">Access lists</h2>
          <p className="quiet">Which models a key or a group may use. A model has to be on the group’s list and on the key’s.</p>
        </div>
        <div className="row">
          <ListExport name="access-lists" columns={CSV} rows={lists.data ?? []} />
          {canAdminister && (
            <Button kind="primary" onClick={() => setOpened({ list: null })}>
              <Icon name="plus" size={14} /> New access list
            </Button>
          )}
        </div>
      </div>
      <Loaded query={lists}>
        {(all) => (
          <Table
            label="All access lists"
            columns={listColumns(usedBy, actions)}
            rows={all}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No access lists yet" text="Without one, a key may use every model that the organization has approved." />
            }
          />
        )}
      </Loaded>
      {opened !== undefined && <AccessListDialog list={opened.list} onClose={() => setOpened(undefined)} />}
      {deleted !== undefined && <DeleteAccessList list={deleted} uses={usedBy(deleted)} onClose={() => setDeleted(undefined)} />}
    </section>
  );
}

const CSV: readonly CsvColumn<AccessList>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['auto_approve', (list) => String(list.auto_approve)],
  ...MODALITIES.map(([modality]) => [modality, (list: AccessList) => list[modality].join(' ')] as const),
];

type Actions = { readonly edit: (list: AccessList) => void; readonly remove: (list: AccessList) => void };

function listColumns(usedBy: (list: AccessList) => number, actions: Actions | undefined): Column<AccessList>[] {
  const columns: Column<AccessList>[] = [
    { id: 'name', head: 'Name', width: 220, cell: ({ name }) => name },
    { id: 'patterns', head: 'Lets in', width: 420, cell: (list) => <ListedPatterns list={list} /> },
    {
      id: 'grows',
      head: 'Models to come',
      width: 140,
      cell: (list) => (list.auto_approve ? <Badge kind="good">let in</Badge> : <Badge>not let in</Badge>),
    },
    { id: 'uses', head: 'Keys', isNumber: true, width: 80, cell: (list) => formatCount(usedBy(list)) },
  ];
  if (actions === undefined) return columns;
  const cell = (list: AccessList) => (
    <RowMenu
      label={`Change or delete ${list.name}`}
      entries={[
        { label: 'Change …', onSelect: () => actions.edit(list) },
        { label: 'Delete …', isDanger: true, onSelect: () => actions.remove(list) },
      ]}
    />
  );
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Change or delete</span>, width: 64, cell }];
}

const SHOWN = 3;

function ListedPatterns({ list }: { readonly list: AccessList }) {
  const all = MODALITIES.flatMap(([modality]) => list[modality]);
  const rest = all.slice(SHOWN);
  if (all.length === 0) return <span className="quiet">nothing</span>;
  return (
    <span className="rules-patterns mono">
      {all.slice(0, SHOWN).join(', ')}
      {rest.length > 0 && (
        <span className="quiet exact" data-tip={rest.slice(0, 40).join(', ')} tabIndex={0}>
          {' '}
          +{formatCount(rest.length)}
        </span>
      )}
    </span>
  );
}

/** Keys that are active and have a list. */
function useUses(): (list: AccessList) => number {
  const keys = useQuery(keysQuery).data ?? [];
  return ({ id }) => keys.filter((key) => key.status === 'active' && key.access_list_id === id).length;
}

type DeleteProps = { readonly list: AccessList; readonly uses: number; readonly onClose: () => void };

function DeleteAccessList({ list, uses, onClose }: DeleteProps) {
  return (
    <DeleteDialog
      kind="access list"
      name={list.name}
      queryKey="access-lists"
      onClose={onClose}
      remove={() => unwrap(api.DELETE('/v1/manage/access-list/{id}', { params: { path: { id: list.id } } }))}
    >
      <p>
        {uses === 0
          ? 'No active key has it. A group may: then it is not deleted, and this dialog says so.'
          : `${formatCount(uses)} active ${uses === 1 ? 'key has' : 'keys have'} it: give them another list first, or it is not deleted.`}
      </p>
    </DeleteDialog>
  );
}
