import { useQueryClient } from '@tanstack/react-query';
import { LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS } from '@weir/contracts';
import { useState } from 'react';
import { api, unwrap, useForm } from '../../api';
import { Dialog, FormActions, Notice, Select, showToast, TextField } from '../../design';
import { FormError } from '../administration/parts';
import { ModelInput } from '../rules/model-input';
import { useModelNames } from '../rules/rules-queries';
import { beginsAnew, EMPTY_LIMIT, fillLimit, findLimitErrors, toLimitBody, type LimitForm } from './limit-form';
import { FilterFields, TargetFields, type FieldsProps } from './limit-fields';
import { LimitPreviewPart } from './limit-preview';
import { isConcurrent, MEASURE_WORDS, SCOPE_WORDS, WINDOW_WORDS, type Names } from './limit-words';
import type { Action, Limit, Measure, Scope, Window } from './limits-queries';

type LimitDialogProps = { readonly limit: Limit | null; readonly names: Names; readonly onClose: () => void };

const SCOPES = LIMIT_SCOPES.map(({ name }) => ({ value: name, label: SCOPE_WORDS[name] }));
const MEASURES = LIMIT_MEASURES.map(({ name }) => ({ value: name, label: MEASURE_WORDS[name] }));
const WINDOWS = LIMIT_WINDOWS.map(({ name }) => ({ value: name, label: WINDOW_WORDS[name] }));
const ACTIONS: readonly { readonly value: Action; readonly label: string; readonly about: string }[] = [
  { value: 'refuse', label: 'Refuse the request', about: 'The error says which limit it is, how full, and when it frees.' },
  { value: 'fallback', label: 'Send it to a cheaper model', about: 'The reply says which model served it.' },
  { value: 'alert', label: 'Serve it and count', about: 'Nothing is refused; how full it is stands here.' },
];
/** Fields with an input of their own, where what is wrong with them is shown. */
const SHOWN = [
  ...['name', 'group_id', 'member_id', 'api_key_id', 'end_user', 'label', 'value', 'models', 'providers', 'modalities'],
  ...['window', 'amount', 'fallback_model'],
];

/** A new limit, or another version of one, with what it would have done to the requests of the last days. */
export function LimitDialog({ limit, names, onClose }: LimitDialogProps) {
  const [form, setForm] = useState<LimitForm>(limit === null ? EMPTY_LIMIT : fillLimit(limit));
  const change = (part: Partial<LimitForm>): void => setForm((old) => ({ ...old, ...part }));
  const client = useQueryClient();
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: findLimitErrors(form),
    send: () => sendLimit(limit, form),
    onSuccess: () => {
      showToast({ text: `“${form.name.trim()}” holds within five seconds.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['limits'] });
    },
  });
  const actions = <FormActions onClose={onClose} submit={limit === null ? 'Create the limit' : 'Save the limit'} isBusy={isBusy} />;
  return (
    <Dialog isOpen isWide onClose={onClose} title={limit === null ? 'New limit' : `“${limit.name}”`} onSubmit={submit} actions={actions}>
      <div className="limits-columns">
        <div className="stack">
          <TextField label="Name" value={form.name} error={errorAt('name')} onChange={({ target }) => change({ name: target.value })} />
          {/* Whom a limit is about stays: it has counted for them. */}
          <fieldset className="limits-whom administration-pair" disabled={limit !== null}>
            <Select label="Holds for" value={form.scope} options={SCOPES} onChange={(scope) => change({ scope: scope as Scope })} />
            <TargetFields form={form} names={names} errorAt={errorAt} onChange={change} />
          </fieldset>
          <AmountFields form={form} errorAt={errorAt} onChange={change} />
          <ActionFields form={form} errorAt={errorAt} onChange={change} />
          <FilterFields form={form} errorAt={errorAt} onChange={change} />
          {limit !== null && beginsAnew(limit, form) && <Notice kind="warn">It begins to count anew, as a new limit does.</Notice>}
          <FormError text={errorElsewhere(...SHOWN)} />
        </div>
        <LimitPreviewPart form={form} names={names} />
      </div>
    </Dialog>
  );
}

function sendLimit(limit: Limit | null, form: LimitForm): Promise<unknown> {
  const body = toLimitBody(form);
  if (limit === null) return unwrap(api.POST('/v1/manage/limit', { body }));
  return unwrap(api.PUT('/v1/manage/limit/{id}', { params: { path: { id: limit.id } }, body }));
}

function AmountFields({ form, errorAt, onChange }: FieldsProps) {
  const isMoney = form.measure === 'usd';
  return (
    <div className="limits-amount">
      <TextField
        label={isMoney ? 'At most, in USD' : 'At most'}
        inputMode="decimal"
        placeholder={isMoney ? '12.50' : '1,000'}
        value={form.amount}
        error={errorAt('amount')}
        onChange={({ target }) => onChange({ amount: target.value })}
      />
      <Select label="Counts" value={form.measure} options={MEASURES} onChange={(measure) => onChange({ measure: measure as Measure })} />
      {!isConcurrent(form.measure) && (
        <Select
          label="Over which time"
          value={form.window}
          options={WINDOWS}
          error={errorAt('window')}
          onChange={(window) => onChange({ window: window as Window })}
        />
      )}
    </div>
  );
}

function ActionFields({ form, errorAt, onChange }: FieldsProps) {
  const names = useModelNames();
  return (
    <>
      <Select
        label="When it is full"
        value={form.action}
        options={ACTIONS}
        hint={ACTIONS.find(({ value }) => value === form.action)?.about}
        onChange={(action) => onChange({ action: action as Action })}
      />
      {form.action === 'fallback' && (
        <ModelInput
          label="The cheaper model"
          value={form.fallbackModel}
          names={names}
          error={errorAt('fallback_model')}
          onChange={(fallbackModel) => onChange({ fallbackModel })}
        />
      )}
    </>
  );
}
