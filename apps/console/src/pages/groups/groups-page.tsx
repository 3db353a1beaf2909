import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, EmptyState, Icon, Loaded, Money, PageHead, Table, TextField, type Column } from '../../design';
import { formatCount } from '../../format/numbers';
import { accessListsQuery, groupsQuery, type Group } from '../administration/lists';
import { Labels, ListFoot, SpendBar } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { BudgetModeNotice } from './budget-mode';
import { filterGroups, perMemberOf, totalOf } from './budgets';
import { CreateGroupDialog } from './group-dialogs';
import { listGroupCsv } from './groups-csv';

const route = getRouteApi('/shell/groups');

export function GroupsPage() {
  const { search, dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const { canAdminister } = useAuthority();
  const groups = useQuery(groupsQuery);
  const setDialog = (open: boolean): void =>
    void navigate({ search: ({ dialog: _, ...old }) => (open ? { ...old, dialog: 'new' as const } : old), replace: true });
  const setSearch = (text: string): void =>
    void navigate({ search: ({ search: _, ...old }) => (text === '' ? old : { ...old, search: text }), replace: true });
  const create = (
    <Button kind="primary" onClick={() => setDialog(true)}>
      <Icon name="plus" size={14} /> New group
    </Button>
  );
  return (
    <>
      <PageHead title="Groups" about="Members and keys that share a budget and rules." actions={canAdminister && create} />
      <BudgetModeNotice />
      <Loaded query={groups}>
        {(all) => (
          <>
            <div className="administration-filters">
              <TextField
                label="Search"
                type="search"
                placeholder="Name or label …"
                value={search ?? ''}
                onChange={(event) => setSearch(event.target.value)}
              />
            </div>
            <GroupTable all={all} found={filterGroups(all, search)} onClear={() => setSearch('')} />
          </>
        )}
      </Loaded>
      {dialog === 'new' && canAdminister && <CreateGroupDialog onClose={() => setDialog(false)} />}
    </>
  );
}

type TableProps = { readonly all: readonly Group[]; readonly found: readonly Group[]; readonly onClear: () => void };

function GroupTable({ all, found, onClear }: TableProps) {
  const { seesAll } = useAuthority();
  const lists = useQuery({ ...accessListsQuery, enabled: seesAll });
  const nameOf = (id: string): string => lists.data?.find((list) => list.id === id)?.name ?? `${id.slice(0, 8)}…`;
  const columns: Column<Group>[] = [
    { id: 'name', head: 'Group', width: 220, cell: ({ name }) => name },
    { id: 'spend', head: 'Spent this month', width: 220, cell: (group) => <SpendBar spent={group.monthly_spend} limit={totalOf(group)} /> },
    { id: 'member', head: 'Each member', width: 140, isNumber: true, cell: (group) => <Bound limit={perMemberOf(group)} /> },
    { id: 'members', head: 'Members', width: 100, isNumber: true, cell: ({ members_count: count }) => formatCount(count) },
    { id: 'labels', head: 'Labels', width: 220, cell: ({ labels }) => <Labels labels={labels} /> },
    {
      id: 'list',
      head: 'Access list',
      width: 160,
      cell: ({ access_list_id: id }) => (id === null ? <span className="quiet">none</span> : nameOf(id)),
    },
  ];
  const none =
    all.length === 0 ? (
      <EmptyState title="No groups yet" text="A group gives a team a budget, and its keys one set of rules." />
    ) : (
      <EmptyState title="No group fits" action={<Button onClick={onClear}>Show all</Button>} />
    );
  return (
    <>
      <div className="panel">
        <Table
          label="Groups"
          columns={columns}
          rows={found}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/groups/$id', params: { id } })}
          empty={none}
        />
      </div>
      <ListFoot name="groups" shown={found} all={all} columns={listGroupCsv(nameOf)} />
    </>
  );
}

/** A limit; none is said as such. */
export function Bound({ limit }: { readonly limit: number | undefined }) {
  return limit === undefined ? <span className="quiet">no limit</span> : <Money amount={limit} />;
}
