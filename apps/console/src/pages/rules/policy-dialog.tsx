import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm } from '../../api';
import { Button, Dialog, FormActions, Icon, IconButton, Select, showToast, TextField } from '../../design';
import { FormError } from '../administration/parts';
import { ModelInput } from './model-input';
import {
  addRow,
  EMPTY_POLICY,
  fillPolicy,
  findPolicyErrors,
  moveRow,
  STRATEGIES,
  toPolicyBody,
  type PolicyForm,
  type PolicyRow,
  type Strategy,
} from './policy-form';
import { useModelNames, type Policy } from './rules-queries';

type PolicyDialogProps = { readonly policy: Policy | null; readonly onClose: () => void };

const STICKY = [
  { value: '', label: 'Nothing: each goes by itself' },
  { value: 'user_id', label: 'The same end user' },
  { value: 'trace_id', label: 'The same trace' },
];

/** A new policy, or the next version of one. */
export function PolicyDialog({ policy, onClose }: PolicyDialogProps) {
  const [form, setForm] = useState<PolicyForm>(policy === null ? EMPTY_POLICY : fillPolicy(policy));
  const client = useQueryClient();
  const change = (part: Partial<PolicyForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: findPolicyErrors(form),
    send: () => sendPolicy(policy, form),
    onSuccess: () => {
      showToast({ text: `“policy/${form.name.trim()}” is in force within five seconds.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['policies'] });
      void client.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const actions = <FormActions onClose={onClose} submit={policy === null ? 'Create the policy' : 'Save the policy'} isBusy={isBusy} />;
  const strategy = STRATEGIES.find(({ value }) => value === form.strategy);
  const fields = form.rows.flatMap((_, index) => ['model', 'weight', 'retries'].map((name) => `models.${index}.${name}`));
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={policy === null ? 'New policy' : `policy/${policy.name}`}
      onSubmit={submit}
      actions={actions}
    >
      {policy === null && (
        <TextField
          label="Name"
          hint="Requests ask for the model policy/<name>."
          value={form.name}
          error={errorAt('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
      )}
      <Select
        label="Which one first"
        value={form.strategy}
        options={STRATEGIES}
        hint={strategy?.about}
        onChange={(value) => change({ strategy: value as Strategy })}
      />
      <MemberRows form={form} errorAt={errorAt} onChange={(rows) => change({ rows })} />
      {form.strategy === 'weighted' && (
        <Select
          label="What goes the same way"
          value={form.stickyBy}
          options={STICKY}
          onChange={(stickyBy) => change({ stickyBy: stickyBy as PolicyForm['stickyBy'] })}
        />
      )}
      <TextField
        label="Milliseconds until the first content"
        hint="Of a stream. After that the next model is asked; empty: as its account or the gateway says."
        inputMode="numeric"
        value={form.firstContentMs}
        error={errorAt('first_content_ms')}
        onChange={({ target }) => change({ firstContentMs: target.value })}
      />
      <TextField
        label="Milliseconds of silence within a reply"
        inputMode="numeric"
        value={form.idleMs}
        error={errorAt('idle_ms')}
        onChange={({ target }) => change({ idleMs: target.value })}
      />
      <FormError text={errorElsewhere('name', 'first_content_ms', 'idle_ms', ...fields)} />
    </Dialog>
  );
}

function sendPolicy(policy: Policy | null, form: PolicyForm): Promise<unknown> {
  const body = toPolicyBody(form);
  if (policy === null) return unwrap(api.POST('/v1/manage/policy', { body }));
  return unwrap(api.PUT('/v1/manage/policy/{name}', { params: { path: { name: policy.name } }, body }));
}

type RowsProps = {
  readonly form: PolicyForm;
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
  readonly onChange: (rows: readonly PolicyRow[]) => void;
};

const MEMBERS_MAX = 32;

function MemberRows({ form: { rows, strategy }, errorAt, onChange }: RowsProps) {
  const names = useModelNames('chat');
  const change = (index: number, part: Partial<PolicyRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset className="administration-fieldset">
      <legend>Models, from first to last</legend>
      {rows.map((row, index) => (
        <div key={row.id} className={strategy === 'weighted' ? 'rules-member rules-member-weighted' : 'rules-member'}>
          <ModelInput
            label={`Model ${index + 1}`}
            value={row.model}
            names={names}
            error={errorAt(`models.${index}.model`)}
            onChange={(model) => change(index, { model })}
          />
          {strategy === 'weighted' && (
            <TextField
              label={`Weight ${index + 1}`}
              inputMode="decimal"
              value={row.weight}
              error={errorAt(`models.${index}.weight`)}
              onChange={({ target }) => change(index, { weight: target.value })}
            />
          )}
          <TextField
            label={`Retries ${index + 1}`}
            inputMode="numeric"
            value={row.retries}
            error={errorAt(`models.${index}.retries`)}
            onChange={({ target }) => change(index, { retries: target.value })}
          />
          <span className="rules-member-actions">
            <IconButton label={`Move model ${index + 1} up`} disabled={index === 0} onClick={() => onChange(moveRow(rows, index, -1))}>
              <span className="rules-up">
                <Icon name="down" size={14} />
              </span>
            </IconButton>
            <IconButton
              label={`Take model ${index + 1} out`}
              disabled={rows.length === 1}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </IconButton>
          </span>
        </div>
      ))}
      {rows.length < MEMBERS_MAX && (
        <div>
          <Button onClick={() => onChange(addRow(rows))}>
            <Icon name="plus" size={14} /> Add a model
          </Button>
        </div>
      )}
    </fieldset>
  );
}
