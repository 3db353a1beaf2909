import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { ConfirmDialog, Dialog, Select, showToast, TextField, FormActions } from '../../design';
import { amountError, amountOf, writeAmount } from '../administration/amounts';
import { findLabelError, isSameLabels, readLabelRows, toLabelRows, type LabelRow } from '../administration/labels';
import { LabelsField } from '../administration/labels-field';
import { accessListsQuery, keysQuery, organizationQuery, type GroupDetail } from '../administration/lists';
import { FormError } from '../administration/parts';
import { explain, refusalAt, refusalElsewhere } from '../administration/refusals';
import { useAuthority } from '../administration/use-authority';
import { modeOf } from './budgets';

const LIMIT_LABELS = { group: 'Budget of the group a month, in USD', global: 'Limit of each member a month, in USD' } as const;

export function CreateGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [limit, setLimit] = useState('');
  const mode = useQuery(organizationQuery).data?.budget_mode ?? 'global';
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/manage/group', { body: { name: name.trim(), monthly_limit: amountOf(limit) } })),
    onSuccess: ({ group_id: id }) => {
      void client.invalidateQueries({ queryKey: ['groups'] });
      void navigate({ to: '/groups/$id', params: { id } });
    },
  });
  const isReady = name.trim() !== '' && amountError(limit) === undefined;
  const actions = <FormActions onClose={onClose} submit="Create the group" isBusy={create.isPending} isDisabled={!isReady} />;
  return (
    <Dialog isOpen onClose={onClose} title="New group" onSubmit={() => isReady && create.mutate()} actions={actions}>
      <TextField label="Name" value={name} error={refusalAt(create.error, 'name')} onChange={(event) => setName(event.target.value)} />
      <TextField
        label={LIMIT_LABELS[mode]}
        inputMode="decimal"
        placeholder="no limit"
        value={limit}
        error={amountError(limit) ?? refusalAt(create.error, 'monthly_limit')}
        onChange={(event) => setLimit(event.target.value)}
      />
      <FormError text={refusalElsewhere(create.error, ['name', 'monthly_limit'])} />
    </Dialog>
  );
}

type GroupDialogProps = { readonly group: GroupDetail; readonly onClose: () => void };

/** Name and money of a group, in the mode that its organization is in. */
export function ChangeGroupDialog({ group, onClose }: GroupDialogProps) {
  const mode = modeOf(group);
  const was = {
    name: group.name,
    total: writeAmount(group.monthly_budget ?? group.monthly_limit),
    perUser: writeAmount(group.monthly_budget_per_user),
  };
  const [form, setForm] = useState(was);
  const save = useGroupChange(onClose, async () => {
    const params = { path: { id: group.id } };
    const total = amountOf(form.total);
    const isTotalNew = total !== amountOf(was.total);
    const rename = form.name.trim() === was.name ? {} : { name: form.name.trim() };
    const limit = mode === 'global' && isTotalNew ? { monthly_limit: total } : {};
    if (Object.keys({ ...rename, ...limit }).length > 0)
      await unwrap(api.PATCH('/v1/manage/group/{id}', { params, body: { ...rename, ...limit } }));
    if (mode === 'group' && isTotalNew) await unwrap(api.POST('/v1/manage/group/{id}/budget', { params, body: { monthly_budget: total } }));
    if (mode === 'group' && form.perUser !== was.perUser)
      await unwrap(api.POST('/v1/manage/group/{id}/budget/user', { params, body: { monthly_budget_per_user: amountOf(form.perUser) } }));
  });
  const isReady = form.name.trim() !== '' && amountError(form.total) === undefined && amountError(form.perUser) === undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Change “${group.name}”`}
      onSubmit={() => isReady && save.mutate()}
      actions={<SaveActions onClose={onClose} isBusy={save.isPending} isReady={isReady} />}
    >
      <TextField
        label="Name"
        value={form.name}
        error={refusalAt(save.error, 'name')}
        onChange={(event) => setForm({ ...form, name: event.target.value })}
      />
      <TextField
        label={LIMIT_LABELS[mode]}
        inputMode="decimal"
        placeholder="no limit"
        value={form.total}
        error={amountError(form.total) ?? refusalAt(save.error, 'monthly_limit', 'monthly_budget')}
        onChange={(event) => setForm({ ...form, total: event.target.value })}
      />
      {mode === 'group' && (
        <TextField
          label="Budget of each member a month, in USD"
          inputMode="decimal"
          placeholder="no limit"
          value={form.perUser}
          error={amountError(form.perUser) ?? refusalAt(save.error, 'monthly_budget_per_user')}
          onChange={(event) => setForm({ ...form, perUser: event.target.value })}
        />
      )}
      <FormError text={refusalElsewhere(save.error, ['name', 'monthly_limit', 'monthly_budget', 'monthly_budget_per_user'])} />
    </Dialog>
  );
}

/** Labels, and the access list of those who may set it. */
export function ChangeGroupRulesDialog({ group, onClose }: GroupDialogProps) {
  const { canAdminister } = useAuthority();
  const lists = useQuery({ ...accessListsQuery, enabled: canAdminister });
  const [rows, setRows] = useState<readonly LabelRow[]>(() => toLabelRows(group.labels));
  const [list, setList] = useState(group.access_list_id ?? '');
  const save = useGroupChange(onClose, async () => {
    const params = { path: { id: group.id } };
    const labels = readLabelRows(rows);
    if (list !== (group.access_list_id ?? ''))
      await unwrap(api.POST('/v1/manage/group/{id}/access-list', { params, body: { access_list_id: list === '' ? null : list } }));
    if (!isSameLabels(labels, group.labels)) await unwrap(api.POST('/v1/manage/group/{id}/label', { params, body: { labels } }));
  });
  const error = findLabelError(rows);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Labels and access of “${group.name}”`}
      onSubmit={() => error === undefined && save.mutate()}
      actions={<SaveActions onClose={onClose} isBusy={save.isPending} isReady={error === undefined} />}
    >
      <LabelsField rows={rows} error={error ?? refusalAt(save.error, 'labels')} onChange={setRows} />
      {canAdminister && (
        <Select
          label="Access list"
          hint="Which models the keys of the group may use."
          value={list}
          options={[
            { value: '', label: 'None: every model that is approved' },
            ...(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          error={refusalAt(save.error, 'access_list_id')}
          onChange={setList}
        />
      )}
      <FormError text={refusalElsewhere(save.error, ['labels', 'access_list_id'])} />
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

type SaveProps = { readonly onClose: () => void; readonly isBusy: boolean; readonly isReady: boolean };

export function SaveActions({ onClose, isBusy, isReady }: SaveProps) {
  return <FormActions onClose={onClose} submit="Save" isBusy={isBusy} isDisabled={!isReady} />;
}

/** Closes when all was done; shows the group as it is in any case. */
export function useGroupChange(onClose: () => void, send: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['groups'] }),
  });
}
