import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm, type Form } from '../../api';
import { Button, Dialog, Segments, Select, TextField, FormActions } from '../../design';
import { groupQuery, groupsQuery, keysQuery } from '../administration/lists';
import { FormError, Secret } from '../administration/parts';
import { EMPTY_ALERT, findAlertErrors, toCreateAlert, type AlertForm, type AlertScope } from './alert-form';

const SCOPES = [
  { value: 'balance', label: 'The balance of the organization' },
  { value: 'group', label: 'A group' },
  { value: 'key', label: 'A key' },
  { value: 'member', label: 'A member of a group' },
];
const MEASURES = [
  { value: 'amount', label: 'USD' },
  { value: 'percentage', label: 'Percent' },
] as const;
const FIELDS = ['api_key_id', 'group_id', 'member_id', 'percentage', 'amount', 'url'];

export function CreateAlertDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState<AlertForm>(EMPTY_ALERT);
  const client = useQueryClient();
  const change = (part: Partial<AlertForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy, data } = useForm({
    errors: findAlertErrors(form),
    send: () => unwrap(api.POST('/v1/manage/alert', { body: toCreateAlert(form) })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
  if (data !== undefined) return <MadeAlert secret={data.secret} onClose={onClose} />;
  const actions = <FormActions onClose={onClose} submit="Create the alert" isBusy={isBusy} />;
  const props = { form, change, errorAt };
  return (
    <Dialog isOpen onClose={onClose} title="New alert" onSubmit={submit} actions={actions}>
      <Select label="Watches" value={form.scope} options={SCOPES} onChange={(scope) => change({ scope: scope as AlertScope })} />
      <TargetFields {...props} />
      <div className="stack">
        <div>
          <Segments label="Bound" value={form.measure} options={MEASURES} onChange={(measure) => change({ measure })} />
        </div>
        <TextField
          label={labelBound(form)}
          inputMode="decimal"
          value={form.value}
          error={errorAt('percentage', 'amount')}
          onChange={(event) => change({ value: event.target.value })}
        />
      </div>
      <TextField
        label="Address to call"
        hint="A public one. What is sent there is signed with the secret of the alert."
        inputMode="url"
        placeholder="https://"
        value={form.url}
        error={errorAt('url')}
        onChange={(event) => change({ url: event.target.value })}
      />
      <FormError text={errorElsewhere(...FIELDS)} />
    </Dialog>
  );
}

function labelBound({ scope, measure }: AlertForm): string {
  if (scope === 'balance') return measure === 'amount' ? 'At or below, in USD' : 'At or below, in percent of the last credit';
  return measure === 'amount' ? 'Spent in a month, in USD' : 'Spent, in percent of the monthly limit';
}

type TargetProps = {
  readonly form: AlertForm;
  readonly change: (part: Partial<AlertForm>) => void;
  readonly errorAt: Form<unknown>['errorAt'];
};

const CHOOSE = { value: '', label: 'Choose …' };

function TargetFields(props: TargetProps) {
  const { scope } = props.form;
  if (scope === 'balance') return null;
  return scope === 'key' ? <KeyTarget {...props} /> : <GroupTarget {...props} />;
}

function KeyTarget({ form, change, errorAt }: TargetProps) {
  const keys = useQuery(keysQuery).data ?? [];
  return (
    <Select
      label="Key"
      value={form.key}
      options={[CHOOSE, ...keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} (… ${last4})` }))]}
      error={errorAt('api_key_id')}
      onChange={(key) => change({ key })}
    />
  );
}

function GroupTarget({ form, change, errorAt }: TargetProps) {
  const isMember = form.scope === 'member';
  const groups = useQuery(groupsQuery).data ?? [];
  const inside = useQuery({ ...groupQuery(form.group), enabled: isMember && form.group !== '' }).data?.members ?? [];
  return (
    <>
      <Select
        label="Group"
        value={form.group}
        options={[CHOOSE, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
        error={errorAt('group_id')}
        onChange={(group) => change({ group, member: '' })}
      />
      {isMember && (
        <Select
          label="Member"
          value={form.member}
          options={[CHOOSE, ...inside.map(({ id, email }) => ({ value: id, label: email }))]}
          error={errorAt('member_id')}
          onChange={(member) => change({ member })}
        />
      )}
    </>
  );
}

function MadeAlert({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const done = (
    <Button kind="primary" onClick={onClose}>
      I have kept it
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title="The secret of the alert" actions={done}>
      <Secret secret={secret} label="Copy the secret">
        What the alert sends is signed with it, so that you know it is from here. It is shown only this once.
      </Secret>
    </Dialog>
  );
}
