import { useQueryClient } from '@tanstack/react-query';
import { createAliasBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, unwrap, useForm } from '../../api';
import { Dialog, FormActions, showToast, TextField } from '../../design';
import { FormError } from '../administration/parts';
import { ModelInput } from './model-input';
import { useModelNames, type Alias } from './rules-queries';

type AliasDialogProps = { readonly alias: Alias | null; readonly onClose: () => void };

/** A new alias, or another model behind one. */
export function AliasDialog({ alias, onClose }: AliasDialogProps) {
  const [form, setForm] = useState({ name: alias?.name ?? '', model: alias?.model ?? '' });
  const client = useQueryClient();
  const names = useModelNames('chat').filter((name) => name !== alias?.name);
  const body = { name: form.name.trim(), model: form.model.trim() };
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: checkBody(createAliasBody, body),
    send: () =>
      alias === null
        ? unwrap(api.POST('/v1/manage/alias', { body }))
        : unwrap(api.PUT('/v1/manage/alias/{name}', { params: { path: { name: alias.name } }, body })),
    onSuccess: () => {
      showToast({ text: `“${body.name}” is in force within five seconds.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['aliases'] });
      void client.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const actions = <FormActions onClose={onClose} submit={alias === null ? 'Create the alias' : 'Save the alias'} isBusy={isBusy} />;
  return (
    <Dialog isOpen onClose={onClose} title={alias === null ? 'New alias' : `“${alias.name}”`} onSubmit={submit} actions={actions}>
      {alias === null && (
        <TextField
          label="Name"
          hint="What requests ask for."
          value={form.name}
          error={errorAt('name')}
          onChange={({ target }) => setForm((old) => ({ ...old, name: target.value }))}
        />
      )}
      <ModelInput
        label="Stands for"
        value={form.model}
        names={names}
        error={errorAt('model')}
        onChange={(model) => setForm((old) => ({ ...old, model }))}
      />
      <FormError text={errorElsewhere('name', 'model')} />
    </Dialog>
  );
}
