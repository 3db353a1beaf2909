import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createGroupBody, setLabelsBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, explain, unwrap, useForm, type FieldErrors, type Form } from '../../api';
import { ConfirmDialog, Dialog, Select, showToast, TextField, FormActions } from '../../design';
import { amountError, amountOf } from '../administration/amounts';
import { findLabelError, isSameLabels, readLabelRows, toLabelRows, type LabelRow } from '../administration/labels';
import { LabelsField } from '../administration/labels-field';
import { accessListsQuery, keysQuery, organizationQuery, type GroupDetail } from '../administration/lists';
import { FormError } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { modeOf } from './budgets';
import { findGroupErrors, planGroupChanges, toGroupForm, type GroupChanges } from './group-form';

const LIMIT_LABELS = { group: 'Budget of the group a month, in USD', global: 'Limit of each member a month, in USD' } as const;

export function CreateGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [limit, setLimit] = useState('');
  const mode = useQuery(organizationQuery).data?.budget_mode ?? 'global';
  const client = useQueryClient();
  const navigate = useNavigate();
  const body = { name: name.trim(), monthly_limit: amountOf(limit) };
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: checkBody(createGroupBody, body, { monthly_limit: amountError(limit) }),
    send: () => unwrap(api.POST('/v1/manage/group', { body })),
    onSuccess: ({ group_id: id }) => {
      void client.invalidateQueries({ queryKey: ['groups'] });
      void navigate({ to: '/groups/$id', params: { id } });
    },
  });
  const actions = <FormActions onClose={onClose} submit="Create the group" isBusy={isBusy} />;
  return (
    <Dialog isOpen onClose={onClose} title="New group" onSubmit={submit} actions={actions}>
      <TextField label="Name" value={name} error={errorAt('name')} onChange={(event) => setName(event.target.value)} />
      <TextField
        label={LIMIT_LABELS[mode]}
        inputMode="decimal"
        placeholder="no limit"
        value={limit}
        error={errorAt('monthly_limit')}
        onChange={(event) => setLimit(event.target.value)}
      />
      <FormError text={errorElsewhere('name', 'monthly_limit')} />
    </Dialog>
  );
}

type GroupDialogProps = { readonly group: GroupDetail; readonly onClose: () => void };

/** Name and money of a group, in the mode that its organization is in. */
export function ChangeGroupDialog({ group, onClose }: GroupDialogProps) {
  const mode = modeOf(group);
  const [was] = useState(() => toGroupForm(group));
  const [form, setForm] = useState(was);
  const { submit, errorAt, errorElsewhere, isBusy } = useGroupForm(onClose, {
    errors: findGroupErrors(was, form),
    send: () => sendGroupChanges(group.id, planGroupChanges(was, form)),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Change “${group.name}”`}
      onSubmit={submit}
      actions={<FormActions onClose={onClose} submit="Save" isBusy={isBusy} />}
    >
      <TextField
        label="Name"
        value={form.name}
        error={errorAt('name')}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      <TextField
        label={LIMIT_LABELS[mode]}
        inputMode="decimal"
        placeholder="no limit"
        value={form.total}
        error={errorAt('monthly_limit', 'monthly_budget')}
        onChange={(event) => setForm({ ...form, total: event.target.value })}
      />
      {mode === 'group' && (
        <TextField
          label="Budget of each member a month, in USD"
          inputMode="decimal"
          placeholder="no limit"
          value={form.perUser}
          error={errorAt('monthly_budget_per_user')}
          onChange={(event) => setForm({ ...form, perUser: event.target.value })}
        />
      )}
      <FormError text={errorElsewhere('name', 'monthly_limit', 'monthly_budget', 'monthly_budget_per_user')} />
    </Dialog>
  );
}

async function sendGroupChanges(id: string, { settings, budget, perUser }: GroupChanges): Promise<void> {
  const params = { path: { id } };
  if (settings !== undefined) await unwrap(api.PATCH('/v1/manage/group/{id}', { params, body: settings }));
  if (budget !== undefined) await unwrap(api.POST('/v1/manage/group/{id}/budget', { params, body: budget }));
  if (perUser !== undefined) await unwrap(api.POST('/v1/manage/group/{id}/budget/user', { params, body: perUser }));
}

/** Labels, and the access list of those who may set it. */
export function ChangeGroupRulesDialog({ group, onClose }: GroupDialogProps) {
  const { canAdminister } = useAuthority();
  const lists = useQuery({ ...accessListsQuery, enabled: canAdminister });
  const [rows, setRows] = useState<readonly LabelRow[]>(() => toLabelRows(group.labels));
  const [list, setList] = useState(group.access_list_id ?? '');
  const labels = readLabelRows(rows);
  const { submit, errorAt, errorElsewhere, isBusy } = useGroupForm(onClose, {
    errors: checkBody(setLabelsBody, { labels }, { labels: findLabelError(rows) }),
    send: async () => {
      const params = { path: { id: group.id } };
      if (list !== (group.access_list_id ?? ''))
        await unwrap(api.POST('/v1/manage/group/{id}/access-list', { params, body: { access_list_id: list === '' ? null : list } }));
      if (!isSameLabels(labels, group.labels)) await unwrap(api.POST('/v1/manage/group/{id}/label', { params, body: { labels } }));
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Labels and access of “${group.name}”`}
      onSubmit={submit}
      actions={<FormActions onClose={onClose} submit="Save" isBusy={isBusy} />}
    >
      <LabelsField rows={rows} error={errorAt('labels')} onChange={setRows} />
      {canAdminister && (
        <Select
          label="Access list"
          hint="Which models the keys of the group may use."
          value={list}
          options={[
            { value: '', label: 'None: every model that is approved' },
            ...(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          error={errorAt('access_list_id')}
          onChange={setList}
        />
      )}
      <FormError text={errorElsewhere('labels', 'access_list_id')} />
    </Dialog>
  );
}

export function DeleteGroupDialog({ group, onClose }: GroupDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const keys = useQuery(keysQuery);
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/manage/group/{id}', { params: { path: { id: group.id } } })),
    onSuccess: async () => {
      showToast({ text: `The group “${group.name}” was deleted.` });
      await navigate({ to: '/groups' });
      client.removeQueries({ queryKey: ['groups', 'one', group.id] });
      void client.invalidateQueries({ queryKey: ['groups'] });
    },
  });
  const count = keys.data?.filter((key) => key.group?.id === group.id).length ?? 0;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete the group “${group.name}”?`}
      action="Delete the group"
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : explain(remove.error)}
      onConfirm={() => remove.mutate()}
    >
      {count > 0 && <p>It still has {count === 1 ? 'a key' : `${count} keys`}: move or revoke them first, or this is refused.</p>}
      <p>
        {group.members.length === 0
          ? 'No one is in it.'
          : `Its ${group.members.length} members stay in the organization, without its limits.`}{' '}
        Its budget and labels end. What it used stays in usage, under its id.
      </p>
    </ConfirmDialog>
  );
}

/** Closes when all was done; shows the group as it is in any case. */
export function useGroupForm(onClose: () => void, form: { readonly errors: FieldErrors; readonly send: () => Promise<void> }): Form<void> {
  const client = useQueryClient();
  return useForm({ ...form, onSuccess: onClose, onSettled: () => client.invalidateQueries({ queryKey: ['groups'] }) });
}
