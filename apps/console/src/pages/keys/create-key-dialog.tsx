import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Button, Dialog, Select, TextField } from '../../design';
import { amountOf } from '../administration/amounts';
import { FormError, Secret } from '../administration/parts';
import { refusalAt, refusalElsewhere } from '../administration/refusals';
import { useAuthority } from '../administration/use-authority';
import { AccessListField, ExpiryAndLabels, LimitField, NewKeyGroupField, type KeyFieldsProps } from './key-fields';
import { EMPTY_KEY_FORM, findKeyErrors, NEW_GROUP, toCreateKey, type KeyForm, type Level } from './key-form';
import { useKeyChoices } from './use-key-choices';

const FIELDS = ['name', 'group_id', 'member_id', 'monthly_limit', 'expires_at', 'labels', 'access_list_id', 'permissions'];

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
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<KeyForm>): void => setForm((old) => ({ ...old, ...part }));
  const choices = useKeyChoices();
  const authority = useAuthority();
  const create = useCreateKey(change, onMade);
  // eslint-disable-next-line react-hooks/purity -- only compared with a day, where minutes do not matter
  const errors = findKeyErrors(form, Date.now());
  const props = { form, change, errors: isTried ? errors : {}, refusal: create.error, choices, authority };
  const submit = (): void => {
    setTried(true);
    if (Object.keys(errors).length === 0) create.mutate(form);
  };
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        {form.group === NEW_GROUP ? 'Create the group and the key' : 'Create the key'}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title="New key" onSubmit={submit} actions={actions}>
      <TextField
        label="Name"
        placeholder="checkout service"
        value={form.name}
        error={props.errors.name ?? refusalAt(create.error, 'name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <NewKeyGroupField {...props} />
      <LimitField {...props} />
      <MoreFields {...props} />
      <FormError text={refusalElsewhere(create.error, FIELDS)} />
    </Dialog>
  );
}

/** Makes the group first where one was asked for. It is chosen then, so that another try does not make a second one. */
function useCreateKey(change: FormChange, onMade: FormProps['onMade']) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (form: KeyForm) => {
      const groupId = await ensureGroup(form);
      if (form.group === NEW_GROUP) {
        await client.invalidateQueries({ queryKey: ['groups'] });
        change({ group: groupId ?? '' });
      }
      return unwrap(api.POST('/v1/manage/apikey', { body: toCreateKey(form, groupId, Date.now()) }));
    },
    onSuccess: ({ api_key: secret }, { name }) => {
      onMade({ name: name.trim(), secret });
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
}

type FormChange = (part: Partial<KeyForm>) => void;

async function ensureGroup({ group, groupName, groupBudget }: KeyForm): Promise<string | null> {
  if (group !== NEW_GROUP) return group === '' ? null : group;
  const body = { name: groupName.trim(), monthly_limit: amountOf(groupBudget) };
  const { group_id: id } = await unwrap(api.POST('/v1/manage/group', { body }));
  return id;
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
} as const;

/** What most keys do without. */
function MoreFields(props: KeyFieldsProps) {
  const { form, change, errors, refusal, choices, authority } = props;
  const isOpen = errors.expiry !== undefined || errors.labels !== undefined || refusalAt(refusal, ...FIELDS.slice(2)) !== undefined;
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
            error={refusalAt(refusal, 'member_id')}
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
            error={refusalAt(refusal, 'permissions', 'permissions.completions')}
            onChange={(level) => change({ completions: level as Level })}
          />
          {authority.canAdminister && (
            <Select
              label="Management"
              value={form.manage}
              options={LEVELS.manage}
              error={refusalAt(refusal, 'permissions.manage')}
              onChange={(level) => change({ manage: level as Level })}
            />
          )}
        </div>
      </div>
    </details>
  );
}
