import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError, toApiError, unwrap, useForm } from '../../api';
import { Button, Dialog, FormActions, Select, TextField } from '../../design';
import { FormError, Secret } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { AccessListField, ExpiryAndLabels, LimitField, NewKeyGroupField, type KeyFieldsProps } from './key-fields';
import { EMPTY_KEY_FORM, findKeyErrors, NEW_GROUP, toCreateGroup, toCreateKey, type KeyForm, type Level } from './key-form';
import { useKeyChoices } from './use-key-choices';

const MORE_FIELDS = ['member_id', 'expires_at', 'labels', 'access_list_id', 'permissions'];
const FIELDS = ['name', 'group_id', 'monthly_limit', 'new.name', 'new.monthly_limit', ...MORE_FIELDS];

export function CreateKeyDialog({ group, onClose }: { readonly group: string | undefined; readonly onClose: () => void }) {
  const [made, setMade] = useState<{ name: string; secret: string }>();
  if (made === undefined) return <CreateKeyForm group={group} onClose={onClose} onMade={setMade} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`The key “${made.name}”`}
      actions={
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <Secret secret={made.secret} label="Copy the key">
        Copy this key now and keep it as you keep passwords. It is shown only this once: no one can show it again, only replace it.
      </Secret>
      <p className="quiet">
        It works from now on, as <code>Authorization: Bearer …</code> at <code>{window.location.origin}/v1</code>.
      </p>
    </Dialog>
  );
}

type FormProps = {
  readonly group: string | undefined;
  readonly onClose: () => void;
  readonly onMade: (made: { name: string; secret: string }) => void;
};

function CreateKeyForm({ group, onClose, onMade }: FormProps) {
  const [form, setForm] = useState<KeyForm>({ ...EMPTY_KEY_FORM, group: group ?? '' });
  const change = (part: Partial<KeyForm>): void => setForm((old) => ({ ...old, ...part }));
  const choices = useKeyChoices();
  const authority = useAuthority();
  const { submit, errorAt, errorElsewhere, isBusy } = useCreateKey(form, change, onMade);
  const props = { form, change, errorAt, choices, authority };
  const label = form.group === NEW_GROUP ? 'Create the group and the key' : 'Create the key';
  const actions = <FormActions onClose={onClose} submit={label} isBusy={isBusy} />;
  return (
    <Dialog isOpen onClose={onClose} title="New key" onSubmit={submit} actions={actions}>
      <TextField
        label="Name"
        placeholder="checkout service"
        value={form.name}
        error={errorAt('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <NewKeyGroupField {...props} />
      <LimitField {...props} />
      <MoreFields {...props} />
      <FormError text={errorElsewhere(...FIELDS)} />
    </Dialog>
  );
}

type FormChange = (part: Partial<KeyForm>) => void;

/** Makes the group first where one was asked for. It is chosen then, so that another try does not make a second one. */
function useCreateKey(form: KeyForm, change: FormChange, onMade: FormProps['onMade']) {
  const client = useQueryClient();
  return useForm({
    // eslint-disable-next-line react-hooks/purity -- only compared with a day, where minutes do not matter
    errors: findKeyErrors(form, Date.now()),
    send: async () => {
      const groupId = await ensureGroup(form);
      if (form.group === NEW_GROUP) {
        await client.invalidateQueries({ queryKey: ['groups'] });
        change({ group: groupId ?? '' });
      }
      return unwrap(api.POST('/v1/manage/apikey', { body: toCreateKey(form, groupId, Date.now()) }));
    },
    onSuccess: ({ api_key: secret }) => {
      onMade({ name: form.name.trim(), secret });
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
}

async function ensureGroup(form: KeyForm): Promise<string | null> {
  if (form.group !== NEW_GROUP) return form.group === '' ? null : form.group;
  try {
    return (await unwrap(api.POST('/v1/manage/group', { body: toCreateGroup(form) }))).group_id;
  } catch (thrown) {
    const { message, field, ...details } = toApiError(thrown);
    throw new ApiError(message, { ...details, field: field === undefined ? undefined : `${NEW_GROUP}.${field}` });
  }
}

const LEVELS = {
  completions: [
    { value: 'write', label: 'Use models' },
    { value: 'read', label: 'Read what was made only' },
    { value: 'none', label: 'Nothing' },
  ],
  manage: [
    { value: 'none', label: 'Nothing but itself' },
    { value: 'read', label: 'Read usage, keys, members, money' },
    { value: 'write', label: 'Read and change' },
  ],
  contents: [
    { value: 'none', label: 'Nothing' },
    { value: 'read', label: 'Read what is kept of requests' },
  ],
} as const;

/** What most keys do without. */
function MoreFields(props: KeyFieldsProps) {
  const { form, change, errorAt, choices, authority } = props;
  const isOpen = errorAt(...MORE_FIELDS) !== undefined;
  return (
    <details className="administration-details" {...(isOpen ? { open: true } : {})}>
      <summary>Owner, expiry, labels, access list, permissions</summary>
      <div className="stack">
        {authority.canLead && (
          <Select
            label="Member whose key it is"
            hint="Limits of the member hold for it, and it ends when they leave."
            value={form.member}
            options={[{ value: '', label: 'The key that makes it' }, ...choices.members]}
            error={errorAt('member_id')}
            onChange={(member) => change({ member })}
          />
        )}
        <ExpiryAndLabels {...props} hasExpiry />
        {authority.seesAll && <AccessListField {...props} />}
        <div className="administration-pair">
          <Select
            label="Models"
            value={form.completions}
            options={LEVELS.completions}
            error={errorAt('permissions', 'permissions.completions')}
            onChange={(level) => change({ completions: level as Level })}
          />
          {authority.canAdminister && (
            <Select
              label="Management"
              value={form.manage}
              options={LEVELS.manage}
              error={errorAt('permissions.manage')}
              onChange={(level) => change({ manage: level as Level })}
            />
          )}
        </div>
        {authority.canAdminister && (
          <Select
            label="Contents of requests"
            hint="What callers sent and got, where the organization keeps that."
            value={form.contents}
            options={LEVELS.contents}
            error={errorAt('permissions.contents')}
            onChange={(contents) => change({ contents: contents === 'read' ? 'read' : 'none' })}
          />
        )}
      </div>
    </details>
  );
}
