import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useSession } from '../../api';
import { Dialog, Notice, showToast, FormActions } from '../../design';
import type { Key } from '../administration/lists';
import { FormError } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { AccessListField, ExpiryAndLabels, GroupField, LimitField, TurnFields } from './key-fields';
import { findChangeErrors, planKeyChanges, toKeyForm, type KeyForm } from './key-form';
import { sendKeyChanges } from './key-actions';
import { useKeyChoices } from './use-key-choices';

const FIELDS = ['group_id', 'monthly_limit', 'expires_at', 'labels', 'access_list_id', 'priority', 'share'];

export function ChangeKeyDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const [opened] = useState<KeyForm>(() => toKeyForm(apiKey));
  const [form, setForm] = useState(opened);
  const change = (part: Partial<KeyForm>): void => setForm((old) => ({ ...old, ...part }));
  const client = useQueryClient();
  const choices = useKeyChoices();
  const authority = useAuthority();
  const { key: own } = useSession();
  // eslint-disable-next-line react-hooks/purity -- only compared with a day, where minutes do not matter
  const nowMs = Date.now();
  const changes = planKeyChanges(apiKey, form, nowMs);
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: findChangeErrors(changes, form, nowMs),
    send: () => sendKeyChanges(apiKey.id, changes),
    onSuccess: () => {
      showToast({ text: `“${apiKey.name}” was changed. It holds within five seconds.` });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const props = { form, change, errorAt, choices, authority };
  const isSame = form === opened;
  const actions = <FormActions onClose={onClose} submit="Save" isBusy={isBusy} isDisabled={isSame} />;
  return (
    <Dialog isOpen onClose={onClose} title={`Change “${apiKey.name}”`} onSubmit={submit} actions={actions}>
      {apiKey.id === own.id && <Notice kind="warn">This is the key you are signed in with.</Notice>}
      {authority.canLead && <LimitField {...props} />}
      {authority.canAdminister && <GroupField {...props} />}
      <ExpiryAndLabels {...props} hasExpiry={authority.canLead} />
      {authority.canAdminister && <AccessListField {...props} />}
      {authority.canAdminister && <TurnFields {...props} />}
      <FormError text={errorElsewhere(...FIELDS)} />
    </Dialog>
  );
}
