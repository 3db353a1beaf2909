import { useQuery, useQueryClient } from '@tanstack/react-query';
import { updateOrganizationBody } from '@weir/contracts';
import { useState } from 'react';
import { api, checkBody, unwrap, useForm } from '../../api';
import { Button, Loaded, Segments, Select, showToast } from '../../design';
import { organizationQuery } from '../administration/lists';
import { FormError } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { PatternFields } from './access-list-dialog';
import { DataRulesPreview } from './data-rules-preview';
import { Choice } from './choice';
import { fillDataRules, toDataRulesBody, type DataRulesForm, type DataSettings } from './data-rules-form';

/** Residency, retention and approved models of the organization, with what they shut out. */
export function DataRulesTab() {
  const organization = useQuery(organizationQuery);
  return (
    <Loaded query={organization}>
      {(settings) => <DataRulesParts key={JSON.stringify(pickSettings(settings))} settings={pickSettings(settings)} />}
    </Loaded>
  );
}

function pickSettings({
  data_residency,
  zero_data_retention,
  data_used_for_training,
  approved_models,
}: Awaited<ReturnType<NonNullable<typeof organizationQuery.queryFn>>>): DataSettings {
  return { data_residency, zero_data_retention, data_used_for_training, approved_models };
}

const AREAS = [
  { value: '', label: 'Anywhere' },
  { value: 'eu', label: 'In the EU' },
  { value: 'us', label: 'In the US' },
  { value: 'ap', label: 'In Asia and the Pacific' },
];
const RETENTION = [
  { value: 'any', label: 'As providers do' },
  { value: 'zero', label: 'By no one' },
] as const;
const TRAINING = [
  { value: 'yes', label: 'Where providers do' },
  { value: 'no', label: 'Never' },
] as const;
const MODELS = [
  { value: 'all', label: 'Every model' },
  { value: 'some', label: 'Only those below' },
] as const;

function DataRulesParts({ settings }: { readonly settings: DataSettings }) {
  const { canAdminister } = useAuthority();
  const [form, setForm] = useState<DataRulesForm>(fillDataRules(settings));
  const client = useQueryClient();
  const change = (part: Partial<DataRulesForm>): void => setForm((old) => ({ ...old, ...part }));
  const body = toDataRulesBody(form);
  const { submit, errorAt, errorElsewhere, isBusy } = useForm<unknown>({
    errors: checkBody(updateOrganizationBody, body),
    send: () => unwrap(api.PATCH('/v1/manage/org', { body })),
    onSuccess: () => {
      showToast({ text: 'The data rules hold within five seconds.' });
      void client.invalidateQueries({ queryKey: ['organization'] });
      void client.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const isChanged = JSON.stringify(body) !== JSON.stringify(toDataRulesBody(fillDataRules(settings)));
  return (
    <div className="rules-columns">
      <form
        className="panel panel-body stack"
        aria-labelledby="rules-data"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div>
          <h2 id="rules-data">Data rules</h2>
          <p className="quiet">They hold for every request of the organization. A request may ask for stricter ones, never for others.</p>
        </div>
        <DataRulesFields form={form} isReadOnly={!canAdminister} errorAt={errorAt} onChange={change} />
        <FormError text={errorElsewhere('approved_models')} />
        {canAdminister && (
          <div className="row">
            <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isChanged}>
              Save the data rules
            </Button>
            {isChanged && <Button onClick={() => setForm(fillDataRules(settings))}>As it was</Button>}
          </div>
        )}
      </form>
      <DataRulesPreview settings={body} held={settings} isChanged={isChanged} />
    </div>
  );
}

type FieldsProps = {
  readonly form: DataRulesForm;
  readonly isReadOnly: boolean;
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
  readonly onChange: (part: Partial<DataRulesForm>) => void;
};

function DataRulesFields({ form, isReadOnly, errorAt, onChange }: FieldsProps) {
  return (
    <fieldset className="stack administration-fieldset" disabled={isReadOnly}>
      <Select
        label="Where prompts are processed"
        value={form.residency}
        options={AREAS}
        onChange={(residency) => onChange({ residency: residency as DataRulesForm['residency'] })}
      />
      <Choice label="Prompts and replies are kept">
        <Segments
          label="Prompts and replies are kept"
          value={form.isZeroRetention ? 'zero' : 'any'}
          options={RETENTION}
          onChange={(value) => onChange({ isZeroRetention: value === 'zero' })}
        />
      </Choice>
      <Choice label="They are used for training">
        <Segments
          label="They are used for training"
          value={form.isTrainingAllowed ? 'yes' : 'no'}
          options={TRAINING}
          onChange={(value) => onChange({ isTrainingAllowed: value === 'yes' })}
        />
      </Choice>
      <Choice label="Approved models">
        <Segments
          label="Approved models"
          value={form.isEveryModel ? 'all' : 'some'}
          options={MODELS}
          onChange={(value) => onChange({ isEveryModel: value === 'all' })}
        />
      </Choice>
      {!form.isEveryModel && (
        <PatternFields
          texts={form.patterns}
          errorAt={(modality) => errorAt(`approved_models.${modality}`)}
          onChange={(patterns) => onChange({ patterns })}
        />
      )}
    </fieldset>
  );
}
