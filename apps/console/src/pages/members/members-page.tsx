import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Badge, Button, EmptyState, Icon, Loaded, PageHead, RowMenu, Table, TextField, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { keysQuery, membersQuery, type Member } from '../administration/lists';
import { ListFoot } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { LimitsDialog } from '../limits/limits-of';
import { InviteDialog, RoleDialog } from './invite-dialog';
import { OffboardDialog } from './offboard-dialog';
import { filterMembers } from './plan-offboarding';
import '../administration/administration.css';

const route = getRouteApi('/shell/members');

type MemberDialog = { readonly kind: 'role' | 'limits' | 'offboard'; readonly member: Member };

const ROLES = { owner: 'owner', admin: 'administrator', member: 'member' } as const;

export function MembersPage() {
  const { search, dialog: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const { canAdminister } = useAuthority();
  const [dialog, setDialog] = useState<MemberDialog | null>(null);
  const members = useQuery(membersQuery);
  const setInvite = (isOpen: boolean): void =>
    void navigate({ search: ({ dialog: _, ...old }) => (isOpen ? { ...old, dialog: 'invite' as const } : old), replace: true });
  const setSearch = (text: string): void =>
    void navigate({ search: ({ search: _, ...old }) => (text === '' ? old : { ...old, search: text }), replace: true });
  const invite = (
    <Button kind="primary" onClick={() => setInvite(true)}>
      <Icon name="plus" size={14} /> Invite a member
    </Button>
  );
  return (
    <>
      <PageHead title="Members" about="People of the organization, and what they may reach." actions={canAdminister && invite} />
      <Loaded query={members}>
        {(all) => (
          <>
            <div className="administration-filters">
              <TextField
                label="Search"
                type="search"
                placeholder="Name, e-mail or role …"
                value={search ?? ''}
                onChange={(event) => setSearch(event.target.value)}
              />
            </div>
            <MemberTable all={all} found={filterMembers(all, search)} open={setDialog} onClear={() => setSearch('')} />
          </>
        )}
      </Loaded>
      {shown === 'invite' && canAdminister && <InviteDialog onClose={() => setInvite(false)} />}
      {dialog?.kind === 'role' && <RoleDialog member={dialog.member} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'limits' && (
        <LimitsDialog
          title={`Limits of ${dialog.member.user_email}`}
          of={{ memberId: dialog.member.user_id }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'offboard' && <OffboardDialog member={dialog.member} onClose={() => setDialog(null)} />}
    </>
  );
}

type TableProps = {
  readonly all: readonly Member[];
  readonly found: readonly Member[];
  readonly open: (dialog: MemberDialog) => void;
  readonly onClear: () => void;
};

function MemberTable({ all, found, open, onClear }: TableProps) {
  const { canAdminister } = useAuthority();
  const keys = useQuery(keysQuery).data;
  const counts = useMemo(() => {
    const byOwner = new Map<string, number>();
    for (const { created_by: owner } of keys ?? []) if (owner !== null) byOwner.set(owner.id, (byOwner.get(owner.id) ?? 0) + 1);
    return byOwner;
  }, [keys]);
  const columns = listColumns(counts, keys !== undefined, canAdminister ? open : undefined);
  const none =
    all.length === 0 ? (
      <EmptyState title="No members yet" text="Keys without a member belong to the organization. Invite people to give them their own." />
    ) : (
      <EmptyState title="No one fits" action={<Button onClick={onClear}>Show all</Button>} />
    );
  return (
    <>
      <div className="panel">
        <Table label="Members" columns={columns} rows={found} rowKey={({ user_id: id }) => id} empty={none} />
      </div>
      <ListFoot name="members" shown={found} all={all} columns={listMemberCsv(counts, keys !== undefined)} />
    </>
  );
}

function listColumns(
  counts: ReadonlyMap<string, number>,
  hasCounts: boolean,
  open: ((dialog: MemberDialog) => void) | undefined,
): Column<Member>[] {
  const columns: Column<Member>[] = [
    { id: 'email', head: 'E-mail', width: 300, cell: ({ user_email: email }) => email },
    { id: 'name', head: 'Name', width: 220, cell: ({ first_name: first, last_name: last }) => `${first} ${last}`.trim() },
    {
      id: 'role',
      head: 'Role',
      width: 150,
      cell: ({ role }) => (role === 'member' ? ROLES.member : <Badge>{ROLES[role]}</Badge>),
    },
    {
      id: 'keys',
      head: 'Keys',
      width: 100,
      isNumber: true,
      cell: ({ user_id: id, user_email: email }) => (
        <Link to="/keys" search={{ member: id }}>
          {hasCounts ? (counts.get(id) ?? 0) : 'Keys'}
          <span className="visually-hidden"> keys of {email}</span>
        </Link>
      ),
    },
    {
      id: 'requests',
      head: 'Requests',
      width: 120,
      cell: ({ user_id: id, user_email: email }) => (
        <Link to="/requests" search={{ user_id: [id] }}>
          Requests<span className="visually-hidden"> of {email}</span>
        </Link>
      ),
    },
  ];
  if (open === undefined) return columns;
  const cell = (member: Member): React.ReactNode => <Actions member={member} open={open} />;
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Actions</span>, width: 64, cell }];
}

function Actions({ member, open }: { readonly member: Member; readonly open: (dialog: MemberDialog) => void }) {
  return (
    <RowMenu
      label={`Change or offboard ${member.user_email}`}
      entries={[
        { label: 'Role …', onSelect: () => open({ kind: 'role', member }) },
        { label: 'Limits that bind them', onSelect: () => open({ kind: 'limits', member }) },
        'line',
        { label: 'Offboard …', onSelect: () => open({ kind: 'offboard', member }), isDanger: true },
      ]}
    />
  );
}

/** Keys are counted where they could be read. */
function listMemberCsv(counts: ReadonlyMap<string, number>, hasCounts: boolean): readonly CsvColumn<Member>[] {
  return [
    ['id', ({ user_id: id }) => id],
    ['email', ({ user_email: email }) => email],
    ['first_name', ({ first_name: first }) => first],
    ['last_name', ({ last_name: last }) => last],
    ['role', ({ role }) => role],
    ['keys', ({ user_id: id }) => (hasCounts ? (counts.get(id) ?? 0) : null)],
  ];
}
