import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api';
import { Dialog, Notice, showToast, FormActions } from '../../design';
import type { Key } from '../administration/lists';
import { FormError } from '../administration/parts';
import { refusalElsewhere } from '../administration/refusals';
import { useAuthority } from '../administration/use-authority';
import { AccessListField, ExpiryAndLabels, GroupField, LimitField } from './key-fields';
import { findKeyErrors, planKeyChanges, toKeyForm, type KeyForm } from './key-form';
import { sendKeyChanges } from './key-actions';
import { useKeyChoices } from './use-key-choices';

const FIELDS = ['group_id', 'monthly_limit', 'expires_at', 'labels', 'access_list_id'];

export function ChangeKeyDialog({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }) {
  const [form, setForm] = useState<KeyForm>(() => toKeyForm(apiKey));
  const change = (part: Partial<KeyForm>): void => setForm((old) => ({ ...old, ...part }));
  const client = useQueryClient();
  const choices = useKeyChoices();
  const authority = useAuthority();
  const { key: own } = useSession();
  // eslint-disable-next-line react-hooks/purity -- only compared with a day, where minutes do not matter
  const nowMs = Date.now();
  const changes = planKeyChanges(apiKey, form, nowMs);
  const isExpiryNew = changes.some(({ what }) => what === 'expiry');
  const { expiry, ...errors } = findKeyErrors(form, nowMs);
  const shown = isExpiryNew && expiry !== undefined ? { ...errors, expiry } : errors;
  const save = useMutation({
    mutationFn: () => sendKeyChanges(apiKey.id, changes),
    onSuccess: () => {
      showToast({ text: `“${apiKey.name}” was changed. It holds within five seconds.` });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const props = { form, change, errors: shown, refusal: save.error, choices, authority };
  const isReady = changes.length > 0 && Object.keys(shown).length === 0;
  const actions = <FormActions onClose={onClose} submit="Save" isBusy={save.isPending} isDisabled={!isReady} />;
  return (
    <Dialog isOpen onClose={onClose} title={`Change “${apiKey.name}”`} onSubmit={() => isReady && save.mutate()} actions={actions}>
      {apiKey.id === own.id && <Notice kind="warn">This is the key you are signed in with.</Notice>}
      {authority.canLead && <LimitField {...props} />}
      {authority.canAdminister && <GroupField {...props} />}
      <ExpiryAndLabels {...props} hasExpiry={authority.canLead} />
      {authority.canAdminister && <AccessListField {...props} />}
      <FormError text={refusalElsewhere(save.error, FIELDS)} />
    </Dialog>
  );
}
