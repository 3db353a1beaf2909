import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm } from '../../api';
import { Button, Dialog, Select, FormActions } from '../../design';
import { FormError, Secret } from '../administration/parts';
import { BoundFields, ChannelFields, RepeatFields, TargetFields, useUnit } from './alert-fields';
import { EMPTY_ALERT, findAlertErrors, toCreateAlert, type AlertForm, type AlertScope } from './alert-form';

const SCOPES = [
  { value: 'balance', label: 'The balance of the organization' },
  { value: 'group', label: 'A group' },
  { value: 'key', label: 'A key' },
  { value: 'member', label: 'A member of a group' },
  { value: 'limit', label: 'A limit' },
  { value: 'anomaly', label: 'Unusual hours of keys' },
];
export const ALERT_FIELDS = [
  ...['api_key_id', 'group_id', 'member_id', 'limit_id', 'percentage', 'amount', 'min_amount'],
  ...['url', 'to', 'repeat_hours'],
];

export function CreateAlertDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState<AlertForm>(EMPTY_ALERT);
  const client = useQueryClient();
  const unit = useUnit(form);
  const change = (part: Partial<AlertForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy, data } = useForm({
    errors: findAlertErrors(form),
    send: () => unwrap(api.POST('/v1/manage/alert', { body: toCreateAlert(form) })),
    onSuccess: async ({ secret }) => {
      await client.invalidateQueries({ queryKey: ['alerts'] });
      if (secret === undefined) onClose();
    },
  });
  if (data?.secret !== undefined) return <MadeAlert secret={data.secret} onClose={onClose} />;
  const actions = <FormActions onClose={onClose} submit="Create the alert" isBusy={isBusy} />;
  const props = { form, change, errorAt };
  const shown = form.channel === 'email' ? [...ALERT_FIELDS, 'channel'] : ALERT_FIELDS;
  return (
    <Dialog isOpen onClose={onClose} title="New alert" onSubmit={submit} actions={actions}>
      <Select label="Watches" value={form.scope} options={SCOPES} onChange={(scope) => change({ scope: scope as AlertScope })} />
      <TargetFields {...props} />
      <BoundFields {...props} unit={unit} />
      <ChannelFields {...props} />
      <RepeatFields {...props} />
      <FormError text={errorElsewhere(...shown)} />
    </Dialog>
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
