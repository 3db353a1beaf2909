import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm } from '../../api';
import { Dialog, FormActions, showToast } from '../../design';
import { FormError } from '../administration/parts';
import { AddressField, BoundFields, RepeatFields, useUnit } from './alert-fields';
import { findChangeErrors, toAlertForm, toUpdateAlert, type Alert, type AlertForm } from './alert-form';
import { ALERT_FIELDS } from './create-alert-dialog';

type Props = { readonly alert: Alert; readonly name: string; readonly onClose: () => void };

/** What it watches and its channel stay. */
export function EditAlertDialog({ alert, name, onClose }: Props) {
  const [form, setForm] = useState<AlertForm>(() => toAlertForm(alert));
  const client = useQueryClient();
  const unit = useUnit({ ...form, limit: alert.limit_id ?? '' });
  const change = (part: Partial<AlertForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: findChangeErrors(form),
    send: () => unwrap(api.PATCH('/v1/manage/alert/{id}', { params: { path: { id: alert.id } }, body: toUpdateAlert(form) })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['alerts'] });
      showToast({ text: 'The alert was changed.' });
      onClose();
    },
  });
  const props = { form, change, errorAt };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Change the alert"
      about={`${name}. What was reported for a period is not reported again because of another bound.`}
      onSubmit={submit}
      actions={<FormActions onClose={onClose} submit="Change the alert" isBusy={isBusy} />}
    >
      <BoundFields {...props} unit={unit} isKept />
      <AddressField {...props} {...(alert.channel === 'slack' ? { hint: `Empty: it stays (${alert.target}).` } : {})} />
      <RepeatFields {...props} />
      <FormError text={errorElsewhere(...ALERT_FIELDS)} />
    </Dialog>
  );
}
