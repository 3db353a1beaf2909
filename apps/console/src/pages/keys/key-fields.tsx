import { Select, TextField } from '../../design';
import { LabelsField } from '../administration/labels-field';
import { ExpiryField } from '../administration/parts';
import type { Authority } from '../administration/use-authority';
import type { Form } from '../../api';
import type { KeyForm } from './key-form';
import { NEW_GROUP } from './key-form';
import type { KeyChoices } from './use-key-choices';

export type KeyFieldsProps = {
  readonly form: KeyForm;
  readonly change: (part: Partial<KeyForm>) => void;
  readonly errorAt: Form<unknown>['errorAt'];
  readonly choices: KeyChoices;
  readonly authority: Authority;
};

export function LimitField({ form, change, errorAt }: KeyFieldsProps) {
  return (
    <TextField
      label="Limit of the key a month, in USD"
      inputMode="decimal"
      placeholder="no limit"
      value={form.limit}
      error={errorAt('monthly_limit')}
      onChange={(event) => change({ limit: event.target.value })}
    />
  );
}

export function GroupField({ form, change, errorAt, choices }: KeyFieldsProps) {
  return (
    <Select
      label="Group"
      value={form.group}
      options={[{ value: '', label: 'No group' }, ...choices.groups]}
      error={errorAt('group_id')}
      onChange={(group) => change({ group })}
    />
  );
}

/** The group a new key is made in; administrators of the organization can make one with it. */
export function NewKeyGroupField(props: KeyFieldsProps) {
  const { form, change, errorAt, choices, authority } = props;
  const options = [
    { value: '', label: authority.canAdminister ? 'No group' : 'My group' },
    ...(authority.canAdminister ? [{ value: NEW_GROUP, label: 'A new group …' }] : []),
    ...choices.groups,
  ];
  const isNew = form.group === NEW_GROUP;
  return (
    <>
      <Select
        label="Group"
        value={form.group}
        options={options}
        error={errorAt('group_id')}
        hint={isNew ? undefined : 'Keys of a group share its budget and its access list.'}
        onChange={(group) => change({ group })}
      />
      {isNew && (
        <div className="administration-pair">
          <TextField
            label="Name of the group"
            value={form.groupName}
            placeholder="Research"
            error={errorAt('new.name')}
            onChange={(event) => change({ groupName: event.target.value })}
          />
          <TextField
            label={choices.budgetMode === 'group' ? 'Budget of the group a month, in USD' : 'Limit of each member a month, in USD'}
            inputMode="decimal"
            placeholder={choices.budgetMode === 'group' ? 'no budget' : 'no limit'}
            value={form.groupBudget}
            error={errorAt('new.monthly_limit')}
            onChange={(event) => change({ groupBudget: event.target.value })}
            hint={
              choices.budgetMode === 'group'
                ? undefined
                : 'The organization is in Global mode: budgets of whole groups need Group Budget mode (see Groups). Here the limit of the key itself bounds it.'
            }
          />
        </div>
      )}
    </>
  );
}

export function AccessListField({ form, change, errorAt, choices }: KeyFieldsProps) {
  return (
    <Select
      label="Access list"
      hint="Which models the key may use, besides what its group may use."
      value={form.accessList}
      options={[{ value: '', label: 'None: every model that is approved' }, ...choices.accessLists]}
      error={errorAt('access_list_id')}
      onChange={(accessList) => change({ accessList })}
    />
  );
}

const PRIORITIES = [
  { value: 'high', label: 'High: 16 turns' },
  { value: 'normal', label: 'Normal: 4 turns' },
  { value: 'low', label: 'Low: 1 turn' },
] as const;

/** What counts while requests wait for a provider that refuses them for its rate. */
export function TurnFields({ form, change, errorAt }: KeyFieldsProps) {
  return (
    <div className="administration-pair">
      <Select
        label="Priority while providers are full"
        hint="Its requests may ask for less, never for more."
        value={form.priority}
        options={PRIORITIES}
        error={errorAt('priority')}
        onChange={(priority) => change({ priority: priority as KeyForm['priority'] })}
      />
      <TextField
        label="Share among keys of its priority"
        inputMode="numeric"
        value={form.share}
        error={errorAt('share')}
        hint="1 to 100: with 2, twice the turns of a key with 1."
        onChange={(event) => change({ share: event.target.value })}
      />
    </div>
  );
}

export function ExpiryAndLabels({ form, change, errorAt, hasExpiry }: KeyFieldsProps & { readonly hasExpiry: boolean }) {
  return (
    <>
      {hasExpiry && <ExpiryField value={form.expiry} error={errorAt('expires_at')} onChange={(expiry) => change({ expiry })} />}
      <LabelsField rows={form.labels} error={errorAt('labels')} onChange={(labels) => change({ labels })} />
    </>
  );
}
