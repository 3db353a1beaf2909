import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addGroupMemberBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, explain, unwrap, type Form } from '../../api';
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  FormActions,
  Icon,
  ListExport,
  RowMenu,
  Select,
  Table,
  TextField,
  type Column,
} from '../../design';
import { formatCount } from '../../format/numbers';
import { membersQuery, type GroupDetail, type GroupMember } from '../administration/lists';
import { FormError, SpendBar } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { boundOf, modeOf } from './budgets';
import { useGroupForm } from './group-dialogs';
import { listGroupMemberCsv } from './groups-csv';
import { findMemberErrors, planMemberChanges, toMemberForm, type MemberChanges, type MemberForm } from './member-form';

type MemberDialog = { readonly kind: 'change' | 'remove'; readonly member: GroupMember };

export function GroupMembers({ group }: { readonly group: GroupDetail }) {
  const { canLead } = useAuthority();
  const [isAdding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<MemberDialog | null>(null);
  const add = (
    <Button onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} /> Add a member
    </Button>
  );
  const close = (): void => setDialog(null);
  return (
    <section className="panel" aria-labelledby="group-members">
      <div className="panel-body spread">
        <h2 id="group-members">Members</h2>
        <div className="row">
          <ListExport name="group members" columns={listGroupMemberCsv(group)} rows={group.members} />
          {canLead && add}
        </div>
      </div>
      <Table
        label={`Members of ${group.name}`}
        columns={listColumns(group, canLead ? setDialog : undefined)}
        rows={group.members}
        rowKey={({ id }) => id}
        maxHeight="480px"
        empty={<EmptyState title="No one is in it yet" text="Members’ own keys of this group count against its limits." />}
      />
      {isAdding && <AddMemberDialog group={group} onClose={() => setAdding(false)} />}
      {dialog?.kind === 'change' && <ChangeMemberDialog group={group} member={dialog.member} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveMemberDialog group={group} member={dialog.member} onClose={close} />}
    </section>
  );
}

function listColumns(group: GroupDetail, open: ((dialog: MemberDialog) => void) | undefined): Column<GroupMember>[] {
  const columns: Column<GroupMember>[] = [
    {
      id: 'email',
      head: 'Member',
      width: 260,
      cell: ({ id, email }) => (
        <Link to="/keys" search={{ member: id, group: group.id }}>
          {email}
          <span className="visually-hidden"> keys of {email}</span>
        </Link>
      ),
    },
    { id: 'role', head: 'Role', width: 130, cell: ({ role, active }) => <RoleCell role={role} isActive={active} /> },
    {
      id: 'spend',
      head: 'Spent this month',
      width: 220,
      cell: (member) => <SpendBar spent={member.monthly_spend} limit={boundOf(group, member).limit} />,
    },
    {
      id: 'rate',
      head: 'Requests a minute',
      width: 150,
      isNumber: true,
      cell: ({ rate_limit: rate }) => (rate === 0 ? <span className="quiet">no limit</span> : formatCount(rate)),
    },
  ];
  if (open === undefined) return columns;
  const cell = (member: GroupMember): React.ReactNode => <Actions member={member} open={open} />;
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Actions</span>, width: 64, cell }];
}

function RoleCell({ role, isActive }: { readonly role: string; readonly isActive: boolean }) {
  return (
    <span className="row">
      {role === 'admin' ? 'administrator' : 'member'}
      {!isActive && <Badge kind="warn">inactive</Badge>}
    </span>
  );
}

function Actions({ member, open }: { readonly member: GroupMember; readonly open: (dialog: MemberDialog) => void }) {
  return (
    <RowMenu
      label={`Change or remove ${member.email}`}
      entries={[
        { label: 'Role and limits …', onSelect: () => open({ kind: 'change', member }) },
        'line',
        { label: 'Take out of the group …', onSelect: () => open({ kind: 'remove', member }), isDanger: true },
      ]}
    />
  );
}

type Role = GroupMember['role'];
const ROLES = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Administrator of the group' },
];

function AddMemberDialog({ group, onClose }: { readonly group: GroupDetail; readonly onClose: () => void }) {
  const { canAdminister } = useAuthority();
  const members = useQuery(membersQuery);
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<Role>('member');
  const body = { user_id: userId, role };
  const { submit, errorAt, errorElsewhere, isBusy } = useGroupForm(onClose, {
    errors: checkBody(addGroupMemberBody, body, { user_id: userId === '' ? 'Choose one.' : undefined }),
    send: async () => {
      await unwrap(api.POST('/v1/manage/group/{id}/member', { params: { path: { id: group.id } }, body }));
    },
  });
  const inside = new Set(group.members.map(({ id }) => id));
  const free = (members.data ?? []).filter(({ user_id: id }) => !inside.has(id));
  const options = [{ value: '', label: free.length === 0 ? 'Everybody is in it' : 'Choose …' }, ...free.map(toOption)];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Add a member to “${group.name}”`}
      onSubmit={submit}
      actions={<FormActions onClose={onClose} submit="Add" isBusy={isBusy} />}
    >
      <Select label="Member" value={userId} options={options} error={errorAt('user_id')} onChange={setUserId} />
      {canAdminister && (
        <Select label="Role" value={role} options={ROLES} error={errorAt('role')} onChange={(value) => setRole(value as Role)} />
      )}
      <p className="quiet">
        Not there? <Link to="/members">Invite them into the organization</Link> first.
      </p>
      <FormError text={errorElsewhere('user_id', 'role')} />
    </Dialog>
  );
}

function toOption({ user_id: value, user_email: label }: { user_id: string; user_email: string }): { value: string; label: string } {
  return { value, label };
}

type MemberDialogProps = { readonly group: GroupDetail; readonly member: GroupMember; readonly onClose: () => void };

const BOUNDS = [
  { value: 'group', label: 'What the group says' },
  { value: 'none', label: 'No limit' },
  { value: 'own', label: 'An own limit …' },
];

function ChangeMemberDialog({ group, member, onClose }: MemberDialogProps) {
  const [was] = useState(() => toMemberForm(group, member));
  const [form, setForm] = useState(was);
  const { submit, errorAt, errorElsewhere, isBusy } = useGroupForm(onClose, {
    errors: findMemberErrors(was, form),
    send: () => sendMemberChanges(group, member, planMemberChanges(was, form)),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={member.email}
      about={`In the group “${group.name}”.`}
      onSubmit={submit}
      actions={<FormActions onClose={onClose} submit="Save" isBusy={isBusy} />}
    >
      <MemberFields form={form} change={(part) => setForm((old) => ({ ...old, ...part }))} errorAt={errorAt} />
      <FormError text={errorElsewhere('role', 'monthly_limit', 'monthly_budget', 'rate_limit')} />
    </Dialog>
  );
}

type MemberFieldsProps = {
  readonly form: MemberForm;
  readonly change: (part: Partial<MemberForm>) => void;
  readonly errorAt: Form<unknown>['errorAt'];
};

function MemberFields({ form, change, errorAt }: MemberFieldsProps) {
  const { canAdminister } = useAuthority();
  const refused = errorAt('monthly_limit', 'monthly_budget');
  const isOwn = form.bound === 'own';
  return (
    <>
      {canAdminister && (
        <Select
          label="Role"
          value={form.role}
          options={ROLES}
          error={errorAt('role')}
          onChange={(role) => change({ role: role as Role })}
        />
      )}
      <Select
        label="May spend a month"
        value={form.bound}
        options={BOUNDS}
        error={isOwn ? undefined : refused}
        onChange={(bound) => change({ bound: bound as MemberForm['bound'] })}
      />
      {isOwn && (
        <TextField
          label="Limit in USD"
          inputMode="decimal"
          value={form.limit}
          error={refused}
          onChange={(event) => change({ limit: event.target.value })}
        />
      )}
      <TextField
        label="Requests a minute, over all keys of the member"
        inputMode="numeric"
        placeholder="no limit"
        value={form.rate}
        error={errorAt('rate_limit')}
        onChange={(event) => change({ rate: event.target.value.trim() })}
      />
    </>
  );
}

async function sendMemberChanges(group: GroupDetail, member: GroupMember, { role, limit, rate }: MemberChanges): Promise<void> {
  const params = { path: { id: group.id, member_id: member.id } };
  if (role !== undefined) await unwrap(api.PUT('/v1/manage/group/{id}/member/{member_id}/role', { params, body: { role } }));
  if (limit !== undefined) await setBound(group, params, limit);
  if (rate !== undefined)
    await unwrap(api.PUT('/v1/manage/group/{id}/member/{member_id}/rate-limit', { params, body: { rate_limit: rate } }));
}

/** The member's own limit: in Group Budget mode their budget. Null is the group's again. */
async function setBound(group: GroupDetail, params: { path: { id: string; member_id: string } }, limit: number | null): Promise<void> {
  if (modeOf(group) === 'group') {
    await unwrap(api.PUT('/v1/manage/group/{id}/member/{member_id}/budget', { params, body: { monthly_budget: limit } }));
    return;
  }
  await unwrap(api.PUT('/v1/manage/group/{id}/member/{member_id}/limit', { params, body: { monthly_limit: limit } }));
}

function RemoveMemberDialog({ group, member, onClose }: MemberDialogProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/v1/manage/group/{id}/member', { params: { path: { id: group.id } }, body: { user_id: member.id } })),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['groups'] }),
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Take ${member.email} out of “${group.name}”?`}
      action="Take out"
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : explain(remove.error)}
      onConfirm={() => remove.mutate()}
    >
      <p>
        They stay a member of the organization. Their own limit and rate in this group end. Keys of theirs that are in the group go on
        working, under the group’s rules.
      </p>
    </ConfirmDialog>
  );
}
