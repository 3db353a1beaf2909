import { useQueryClient } from '@tanstack/react-query';
import { addMemberBody, setOrganizationRoleBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, unwrap, useForm } from '../../api';
import { Dialog, Select, showToast, TextField, FormActions } from '../../design';
import type { Member } from '../administration/lists';
import { FormError } from '../administration/parts';

type Role = 'admin' | 'member';

const ROLES = [
  { value: 'member', label: 'Member: their own keys and usage' },
  { value: 'admin', label: 'Administrator: all of the organization' },
];

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState({ email: '', first: '', last: '', role: 'member' as Role });
  const client = useQueryClient();
  const body = { email: form.email.trim(), first_name: form.first.trim(), last_name: form.last.trim(), role: form.role };
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: checkBody(addMemberBody, body),
    send: () => unwrap(api.POST('/v1/manage/org/member', { body })),
    onSuccess: () => {
      showToast({ text: `${body.email} is in the organization.` });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['members'] }),
  });
  const actions = <FormActions onClose={onClose} submit="Invite" isBusy={isBusy} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite a member"
      about="They are in the organization at once. Give them a key, or let them sign in where people do."
      onSubmit={submit}
      actions={actions}
    >
      <TextField
        label="E-mail"
        inputMode="email"
        value={form.email}
        error={errorAt('email')}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
      <div className="administration-pair">
        <TextField
          label="First name"
          value={form.first}
          error={errorAt('first_name')}
          onChange={(event) => setForm({ ...form, first: event.target.value })}
        />
        <TextField
          label="Last name"
          value={form.last}
          error={errorAt('last_name')}
          onChange={(event) => setForm({ ...form, last: event.target.value })}
        />
      </div>
      <Select
        label="Role"
        value={form.role}
        options={ROLES}
        error={errorAt('role')}
        onChange={(role) => setForm({ ...form, role: role as Role })}
      />
      <FormError text={errorElsewhere('email', 'first_name', 'last_name', 'role')} />
    </Dialog>
  );
}

export function RoleDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const [role, setRole] = useState<Role>(member.role === 'member' ? 'member' : 'admin');
  const client = useQueryClient();
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: checkBody(setOrganizationRoleBody, { role }),
    send: () => unwrap(api.PUT('/v1/manage/org/member/{id}/role', { params: { path: { id: member.user_id } }, body: { role } })),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['members'] }),
  });
  const actions = <FormActions onClose={onClose} submit="Save" isBusy={isBusy} isDisabled={role === member.role} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Role of ${member.user_email}`}
      about="All of their keys follow within five seconds."
      onSubmit={submit}
      actions={actions}
    >
      <Select label="Role" value={role} options={ROLES} error={errorAt('role')} onChange={(value) => setRole(value as Role)} />
      {member.role === 'owner' && role === 'admin' && <p className="quiet">An owner reaches what an administrator reaches.</p>}
      <FormError text={errorElsewhere('role')} />
    </Dialog>
  );
}
