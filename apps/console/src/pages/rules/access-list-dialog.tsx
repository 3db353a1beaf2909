import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm, type Schemas } from '../../api';
import { Dialog, FormActions, Segments, showToast, TextArea, TextField } from '../../design';
import { FormError } from '../administration/parts';
import { Choice } from './choice';
import { EMPTY_ACCESS_LIST, fillAccessList, findAccessListErrors, toAccessListBody, type AccessListForm } from './access-list-form';
import { MODALITIES, readAllPatterns, type PatternTexts } from './patterns';
import { PatternPreview } from './pattern-preview';
import type { Modality } from './rules-queries';

type AccessListDialogProps = { readonly list: Schemas['AccessList'] | null; readonly onClose: () => void };

const GROWTHS = [
  { value: 'now', label: 'Models of today' },
  { value: 'later', label: 'Those to come as well' },
] as const;

/** A new access list, or another content for one. */
export function AccessListDialog({ list, onClose }: AccessListDialogProps) {
  const [form, setForm] = useState<AccessListForm>(list === null ? EMPTY_ACCESS_LIST : fillAccessList(list));
  const client = useQueryClient();
  const change = (part: Partial<AccessListForm>): void => setForm((old) => ({ ...old, ...part }));
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: findAccessListErrors(form),
    send: () => sendList(list, form),
    onSuccess: () => {
      showToast({ text: `“${form.name.trim()}” is in force within five seconds.` });
      onClose();
      void client.invalidateQueries({ queryKey: ['access-lists'] });
    },
  });
  const actions = <FormActions onClose={onClose} submit={list === null ? 'Create the list' : 'Save the list'} isBusy={isBusy} />;
  const modalities = MODALITIES.map(([modality]) => modality);
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={list === null ? 'New access list' : `“${list.name}”`}
      onSubmit={submit}
      actions={actions}
    >
      <TextField label="Name" value={form.name} error={errorAt('name')} onChange={({ target }) => change({ name: target.value })} />
      <PatternFields texts={form.patterns} errorAt={errorAt} onChange={(patterns) => change({ patterns })} />
      <Choice label="Patterns with * let in">
        <Segments
          label="Patterns with * let in"
          value={form.isOpenEnded ? 'later' : 'now'}
          options={GROWTHS}
          onChange={(growth) => change({ isOpenEnded: growth === 'later' })}
        />
      </Choice>
      <PatternPreview patterns={readAllPatterns(form.patterns)} />
      <FormError text={errorElsewhere('name', ...modalities)} />
    </Dialog>
  );
}

function sendList(list: AccessListDialogProps['list'], form: AccessListForm): Promise<unknown> {
  const body = toAccessListBody(form);
  if (list === null) return unwrap(api.POST('/v1/manage/access-list', { body }));
  return unwrap(api.PATCH('/v1/manage/access-list/{id}', { params: { path: { id: list.id } }, body }));
}

type PatternFieldsProps = {
  readonly texts: PatternTexts;
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
  readonly onChange: (texts: PatternTexts) => void;
};

/** Chat at first; the others are unfolded, or open where they have something. */
export function PatternFields({ texts, errorAt, onChange }: PatternFieldsProps) {
  const [isWhole] = useState(MODALITIES.some(([modality]) => modality !== 'chat' && texts[modality] !== ''));
  const field = (modality: Modality, label: string) => (
    <TextArea
      key={modality}
      label={`${label}: model ids or patterns`}
      hint={modality === 'chat' ? 'One on a line; * stands for anything. Policies and aliases by their names.' : undefined}
      placeholder={modality === 'chat' ? 'openai/*' : ''}
      rows={modality === 'chat' ? 4 : 2}
      spellCheck={false}
      value={texts[modality]}
      error={errorAt(modality)}
      onChange={({ target }) => onChange({ ...texts, [modality]: target.value })}
    />
  );
  const [[chat, chatLabel] = ['chat', 'Chat'] as const, ...rest] = MODALITIES;
  return (
    <>
      {field(chat, chatLabel)}
      <details className="administration-details" open={isWhole}>
        <summary>Embeddings, images, speech, transcription</summary>
        <div className="stack">{rest.map(([modality, label]) => field(modality, label))}</div>
      </details>
    </>
  );
}
