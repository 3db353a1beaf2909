import { Select, TextArea, TextField } from '../../design';
import { MODALITIES } from '../rules/patterns';
import type { LimitForm } from './limit-form';
import { MODALITY_WORDS, type Names } from './limit-words';
import type { Modality } from './limits-queries';

export type FieldsProps = {
  readonly form: LimitForm;
  readonly errorAt: (...fields: readonly string[]) => string | undefined;
  readonly onChange: (part: Partial<LimitForm>) => void;
};

type TargetProps = FieldsProps & { readonly names: Names };

type Picked = {
  readonly label: string;
  readonly each: string;
  readonly of: keyof Names;
  readonly field: 'groupId' | 'memberId' | 'apiKeyId';
};

const PICKED: Readonly<Record<'group' | 'member' | 'key', Picked>> = {
  group: { label: 'Group', each: 'Each group, apart', of: 'groups', field: 'groupId' },
  member: { label: 'Member', each: 'Each member, apart', of: 'members', field: 'memberId' },
  key: { label: 'Key', each: 'Each key, apart', of: 'keys', field: 'apiKeyId' },
};

/** Whom it is about: one of its kind, or each apart. */
export function TargetFields({ form, names, errorAt, onChange }: TargetProps) {
  const { scope } = form;
  if (scope === 'organization') return null;
  if (scope === 'end_user') {
    return (
      <TextField
        label="End user"
        placeholder="Each end user, apart"
        value={form.endUser}
        error={errorAt('end_user')}
        onChange={({ target }) => onChange({ endUser: target.value })}
      />
    );
  }
  if (scope === 'api_key_label' || scope === 'group_label') return <LabelFields form={form} errorAt={errorAt} onChange={onChange} />;
  const { label, each, of, field } = PICKED[scope];
  const options = [{ value: '', label: each }, ...[...names[of]].map(([value, name]) => ({ value, label: name }))];
  return (
    <Select
      label={label}
      value={form[field]}
      options={options}
      error={errorAt('group_id', 'member_id', 'api_key_id')}
      onChange={(id) => onChange({ [field]: id } as Partial<LimitForm>)}
    />
  );
}

function LabelFields({ form, errorAt, onChange }: FieldsProps) {
  return (
    <div className="administration-pair">
      <TextField
        label="Label"
        placeholder="team"
        value={form.label}
        error={errorAt('label')}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <TextField
        label="Value"
        placeholder="Each, apart"
        value={form.value}
        error={errorAt('value')}
        onChange={({ target }) => onChange({ value: target.value })}
      />
    </div>
  );
}

/** What alone is counted. */
export function FilterFields({ form, errorAt, onChange }: FieldsProps) {
  const isAny = form.models !== '' || form.providers !== '' || form.modalities.length > 0;
  const toggle = (modality: Modality): void =>
    onChange({
      modalities: form.modalities.includes(modality) ? form.modalities.filter((one) => one !== modality) : [...form.modalities, modality],
    });
  return (
    <details className="administration-details" open={isAny || errorAt('models', 'providers', 'modalities') !== undefined}>
      <summary>Only some models, providers or kinds</summary>
      <div className="stack">
        <div className="administration-pair">
          <TextArea
            label="Models: ids or patterns"
            rows={3}
            hint="One on a line; * stands for anything. Empty: every model."
            spellCheck={false}
            value={form.models}
            error={errorAt('models')}
            onChange={({ target }) => onChange({ models: target.value })}
          />
          <TextArea
            label="Providers"
            rows={3}
            hint="One on a line. Empty: every provider."
            spellCheck={false}
            value={form.providers}
            error={errorAt('providers')}
            onChange={({ target }) => onChange({ providers: target.value })}
          />
        </div>
        <fieldset className="administration-fieldset">
          <legend>Kinds of requests</legend>
          <div className="limits-checks">
            {MODALITIES.map(([modality]) => (
              <label key={modality} className="limits-check">
                <input type="checkbox" checked={form.modalities.includes(modality)} onChange={() => toggle(modality)} />{' '}
                {MODALITY_WORDS[modality]}
              </label>
            ))}
          </div>
          <span className="field-hint">None chosen: every kind.</span>
        </fieldset>
      </div>
    </details>
  );
}
