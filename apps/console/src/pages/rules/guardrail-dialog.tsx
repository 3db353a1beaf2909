import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm } from '../../api';
import { Dialog, FormActions, Select, showToast, TextField } from '../../design';
import { groupsQuery, keysQuery } from '../administration/lists';
import { FormError } from '../administration/parts';
import { DetectorFields } from './detector-fields';
import {
  ACTIONS,
  EMPTY_GUARDRAIL,
  fillGuardrail,
  findGuardrailErrors,
  toGuardrailBody,
  toTriedGuardrail,
  type Action,
  type GuardrailForm,
  type Stage,
} from './guardrail-form';
import { GuardrailTry } from './guardrail-try';
import type { Guardrail } from './rules-queries';

type GuardrailDialogProps = { readonly guardrail: Guardrail | null; readonly onClose: () => void };

const STAGES = [
  { value: 'both', label: 'Requests and replies' },
  { value: 'input', label: 'Requests' },
  { value: 'output', label: 'Replies' },
];
const ON_ERROR = [
  { value: 'closed', label: 'It is refused' },
  { value: 'open', label: 'It goes on' },
];

/** A new guardrail, or the next version of one, with a box to try it before it holds. */
export function GuardrailDialog({ guardrail, onClose }: GuardrailDialogProps) {
  const [form, setForm] = useState<GuardrailForm>(guardrail === null ? EMPTY_GUARDRAIL : fillGuardrail(guardrail));
  const client = useQueryClient();
  const change = (part: Partial<GuardrailForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: findGuardrailErrors(form),
    send: () => sendGuardrail(guardrail, form),
    onSuccess: () => {
      showToast({ text: `“${form.name.trim()}” holds within five seconds.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['guardrails'] });
    },
  });
  const actions = (
    <FormActions onClose={onClose} submit={guardrail === null ? 'Create the guardrail' : 'Save the guardrail'} isBusy={isBusy} />
  );
  const title = guardrail === null ? 'New guardrail' : `“${guardrail.name}”`;
  const fields = form.own.flatMap((_, index) => [`own.${index}.name`, `own.${index}.text`]);
  const canTry = form.builtIn.length + form.own.length > 0;
  return (
    <Dialog isOpen isWide onClose={onClose} title={title} onSubmit={submit} actions={actions}>
      <TextField label="Name" value={form.name} error={errorAt('name')} onChange={({ target }) => change({ name: target.value })} />
      <DetectorFields form={form} onChange={change} errorAt={errorAt} />
      <div className="administration-pair">
        <Select
          label="What is done"
          value={form.action}
          options={ACTIONS}
          hint={ACTIONS.find(({ value }) => value === form.action)?.about}
          onChange={(action) => change({ action: action as Action })}
        />
        <Select label="Looks at" value={form.stage} options={STAGES} onChange={(stage) => change({ stage: stage as Stage })} />
      </div>
      <ScopeField value={form.scope} error={errorAt('api_key_id', 'group_id')} onChange={(scope) => change({ scope })} />
      <details className="administration-details" open={form.scanner !== ''}>
        <summary>A scanner of your own</summary>
        <div className="stack">
          <TextField
            label="Address of the scanner"
            hint="Is asked besides, over HTTPS. It gets the text."
            placeholder="https://"
            value={form.scanner}
            error={errorAt('scanner_url')}
            onChange={({ target }) => change({ scanner: target.value })}
          />
          <Select
            label="Where it cannot be scanned"
            value={form.onError}
            options={ON_ERROR}
            onChange={(onError) => change({ onError: onError as GuardrailForm['onError'] })}
          />
        </div>
      </details>
      <FormError text={errorElsewhere('name', 'detectors', 'api_key_id', 'group_id', 'scanner_url', ...fields)} />
      <GuardrailTry title="Try it before it holds" ask={canTry ? { guardrail: toTriedGuardrail(form) } : undefined} />
    </Dialog>
  );
}

function sendGuardrail(guardrail: Guardrail | null, form: GuardrailForm): Promise<unknown> {
  const body = toGuardrailBody(form);
  if (guardrail === null) return unwrap(api.POST('/v1/manage/guardrail', { body }));
  return unwrap(api.PUT('/v1/manage/guardrail/{id}', { params: { path: { id: guardrail.id } }, body }));
}

type ScopeProps = { readonly value: string; readonly error: string | undefined; readonly onChange: (scope: string) => void };

/** Whose requests it is for. */
function ScopeField({ value, error, onChange }: ScopeProps) {
  const keys = useQuery(keysQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const options = [
    { value: 'organization', label: 'Every request of the organization' },
    ...groups.map(({ id, name }) => ({ value: `group:${id}`, label: `Group “${name}”` })),
    ...keys
      .filter(({ id, status }) => status === 'active' || value === `key:${id}`)
      .map(({ id, name, last4 }) => ({ value: `key:${id}`, label: `Key “${name}” (… ${last4})` })),
  ];
  return <Select label="Holds for" value={value} options={options} error={error} onChange={onChange} />;
}
