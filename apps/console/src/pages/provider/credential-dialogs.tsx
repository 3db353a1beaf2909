import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap, useForm, type Form } from '../../api';
import { ConfirmDialog, Dialog, FormActions, Select, showToast, TextArea, TextField } from '../../design';
import { FormError } from '../administration/parts';
import type { Credential, Provider } from '../providers/provider-list';
import {
  EMPTY_CREDENTIAL,
  findCredentialErrors,
  labelOf,
  listKeyFields,
  nameWay,
  toCreateCredential,
  toSecret,
  type CredentialForm,
} from './credential-form';

const MODES = [
  { value: 'prefer', label: 'Own key first, the gateway’s when it fails' },
  { value: 'only', label: 'Own key alone, never the gateway’s' },
];

type Change = (part: Partial<CredentialForm>) => void;

/** Whatever was changed, both lists say something of it. */
function useReload(): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['provider-credentials'] });
    void client.invalidateQueries({ queryKey: ['providers'] });
  };
}

export function AddKeyDialog({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const [form, setForm] = useState<CredentialForm>(EMPTY_CREDENTIAL);
  const change: Change = (part) => setForm((old) => ({ ...old, ...part }));
  const reload = useReload();
  const sent = useForm({
    errors: findCredentialErrors(provider, form, true),
    send: () => unwrap(api.POST('/v1/manage/provider-credential', { body: toCreateCredential(provider, form) })),
    onSuccess: () => {
      showToast({ text: `The key for ${provider.name} is kept, sealed.` });
      reload();
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Own key for ${provider.name}`}
      about="It is sealed and never shown again, but for its last four characters."
      onSubmit={sent.submit}
      actions={<FormActions onClose={onClose} submit="Keep the key" isBusy={sent.isBusy} />}
    >
      <SecretFields provider={provider} form={form} change={change} errorAt={sent.errorAt} />
      <Select
        label="When it is used"
        value={form.mode}
        options={MODES}
        error={sent.errorAt('mode')}
        onChange={(mode) => change({ mode: mode === 'only' ? 'only' : 'prefer' })}
      />
      <TextField
        label="Name (optional)"
        value={form.name}
        error={sent.errorAt('name')}
        hint="Where there are several accounts at one provider."
        onChange={(event) => change({ name: event.target.value })}
      />
      <FormError text={sent.errorElsewhere(...namesOf(provider, form), 'mode', 'name')} />
    </Dialog>
  );
}

type RotateProps = { readonly provider: Provider; readonly credential: Credential; readonly onClose: () => void };

export function RotateCredentialDialog({ provider, credential, onClose }: RotateProps) {
  const [form, setForm] = useState<CredentialForm>(EMPTY_CREDENTIAL);
  const reload = useReload();
  const params = { path: { id: credential.id } };
  const sent = useForm({
    errors: findCredentialErrors(provider, form, false),
    send: () => unwrap(api.POST('/v1/manage/provider-credential/{id}/rotate', { params, body: toSecret(provider, form) })),
    onSuccess: () => {
      showToast({ text: `“${credential.name}” has its new secret.` });
      reload();
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`New secret for “${credential.name}”`}
      about={`It takes the place of the one that ends in ${credential.last4}, within seconds and for all requests.`}
      onSubmit={sent.submit}
      actions={<FormActions onClose={onClose} submit="Replace the secret" isBusy={sent.isBusy} />}
    >
      <SecretFields provider={provider} form={form} change={(part) => setForm((old) => ({ ...old, ...part }))} errorAt={sent.errorAt} />
      <FormError text={sent.errorElsewhere(...namesOf(provider, form))} />
    </Dialog>
  );
}

type FieldsProps = {
  readonly provider: Provider;
  readonly form: CredentialForm;
  readonly change: Change;
  readonly errorAt: Form<unknown>['errorAt'];
};

function SecretFields({ provider, form, change, errorAt }: FieldsProps) {
  const { key_ways: ways } = provider;
  return (
    <>
      {ways.length > 1 && (
        <Select
          label="Kind of account"
          value={String(form.way)}
          options={ways.map((way, index) => ({ value: String(index), label: nameWay(way) }))}
          onChange={(way) => change({ way: Number(way) })}
        />
      )}
      {listKeyFields(provider, form.way).map(({ name, isOptional }) => {
        const input = {
          label: isOptional ? `${labelOf(name)} (optional)` : labelOf(name),
          value: form.values[name] ?? '',
          error: errorAt(`fields.${name}`, ...(name === 'api_key' ? ['api_key'] : [])),
          spellCheck: false,
        };
        const set = (value: string): void => change({ values: { ...form.values, [name]: value } });
        // A key file has several lines.
        return name === 'credentials' ? (
          <TextArea key={name} {...input} className="mono" onChange={(event) => set(event.target.value)} />
        ) : (
          <TextField
            key={name}
            {...input}
            type={isSecret(name) ? 'password' : 'text'}
            autoComplete={isSecret(name) ? 'new-password' : 'off'}
            onChange={(event) => set(event.target.value)}
          />
        );
      })}
    </>
  );
}

/** Of the inputs that are shown, as bodies and refusals name them. */
function namesOf(provider: Provider, { way }: CredentialForm): string[] {
  return ['api_key', ...listKeyFields(provider, way).map(({ name }) => `fields.${name}`)];
}

function isSecret(field: string): boolean {
  return /key$|secret|token|password/.test(field) && field !== 'access_key_id';
}

type DeleteProps = { readonly credential: Credential; readonly isLast: boolean; readonly provider: Provider; readonly onClose: () => void };

export function DeleteCredentialDialog({ credential, isLast, provider, onClose }: DeleteProps) {
  const reload = useReload();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/manage/provider-credential/{id}', { params: { path: { id: credential.id } } })),
    onSuccess: () => {
      showToast({ text: `“${credential.name}” is forgotten.` });
      reload();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Forget “${credential.name}”?`}
      action="Forget the key"
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : explain(remove.error)}
      onConfirm={() => remove.mutate()}
    >
      <p>
        Its secret (… {credential.last4}) is erased here and cannot be brought back; at {provider.name} it stays what it is.{' '}
        {describeAfter(credential, { isLast, isSetUp: provider.is_set_up === true, name: provider.name })}
      </p>
    </ConfirmDialog>
  );
}

type After = { readonly isLast: boolean; readonly isSetUp: boolean; readonly name: string };

function describeAfter({ mode }: Credential, { isLast, isSetUp, name }: After): string {
  if (!isLast) return `Requests to ${name} go on with the other own keys.`;
  if (isSetUp)
    return `Requests to ${name} are then sent with the gateway’s account${mode === 'only' ? ', which this key had ruled out' : ''}.`;
  return `The gateway has no account at ${name}: its models can then not be called any more.`;
}
