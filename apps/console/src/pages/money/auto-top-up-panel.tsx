import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, useForm, type Schemas } from '../../api';
import { Badge, Button, Dialog, Loaded, Money, Select, showToast, TextField, FormActions } from '../../design';
import { FormError } from '../administration/parts';
import { useAuthority } from '../administration/use-authority';
import { findTopUpErrors, toTopUp, type TopUpForm } from './top-up-form';

type AutoTopUp = Schemas['AutoTopUp'];

export function AutoTopUpPanel() {
  const { canAdminister } = useAuthority();
  const [isOpen, setOpen] = useState(false);
  const setting = useQuery({
    queryKey: ['balance', 'auto-top-up'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/balance/auto-top-up', { signal }))).auto_top_up,
  });
  return (
    <section className="panel panel-body" aria-labelledby="money-top-up">
      <div className="spread">
        <h2 id="money-top-up">Automatic top-up</h2>
        {canAdminister && setting.data !== undefined && <Button onClick={() => setOpen(true)}>Change</Button>}
      </div>
      <Loaded query={setting}>
        {(found) => (
          <>
            <Said setting={found} />
            {isOpen && <AutoTopUpDialog setting={found} onClose={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Said({ setting: { enabled, threshold, amount, monthly_cap: cap } }: { readonly setting: AutoTopUp }) {
  if (threshold === null || amount === null || cap === null) return <p className="quiet">Off. Nothing is charged by itself.</p>;
  return (
    <p>
      <Badge kind={enabled ? 'good' : 'normal'}>{enabled ? 'on' : 'off'}</Badge> Below <Money amount={threshold} /> it adds{' '}
      <Money amount={amount} />, at most <Money amount={cap} /> a month.
    </p>
  );
}

function AutoTopUpDialog({ setting, onClose }: { readonly setting: AutoTopUp; readonly onClose: () => void }) {
  const { threshold, amount, monthly_cap: cap } = setting;
  const [form, setForm] = useState<TopUpForm>({ enabled: 'on', threshold: threshold ?? '', amount: amount ?? '', cap: cap ?? '' });
  const client = useQueryClient();
  const { submit, errorAt, errorElsewhere, isBusy } = useForm({
    errors: findTopUpErrors(form),
    send: () => unwrap(api.PUT('/v1/manage/balance/auto-top-up', { body: toTopUp(form) })),
    onSuccess: () => {
      showToast({ text: 'Automatic top-up was changed.' });
      onClose();
      void client.invalidateQueries({ queryKey: ['balance'] });
    },
  });
  const actions = <FormActions onClose={onClose} submit="Save" isBusy={isBusy} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Automatic top-up"
      about="It charges the means of payment that the operator has set up; without one nothing is charged."
      onSubmit={submit}
      actions={actions}
    >
      <Select
        label="Automatic top-up"
        value={form.enabled}
        options={SWITCH}
        onChange={(enabled) => setForm({ ...form, enabled: enabled === 'on' ? 'on' : 'off' })}
      />
      {SUMS.map(({ name, field, label }) => (
        <TextField
          key={name}
          label={label}
          inputMode="decimal"
          value={form[name]}
          error={errorAt(field)}
          onChange={(event) => setForm({ ...form, [name]: event.target.value })}
        />
      ))}
      <FormError text={errorElsewhere('threshold', 'amount', 'monthly_cap')} />
    </Dialog>
  );
}

const SWITCH = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
];
const SUMS = [
  { name: 'threshold', field: 'threshold', label: 'When the balance is below, in USD' },
  { name: 'amount', field: 'amount', label: 'Add, in USD' },
  { name: 'cap', field: 'monthly_cap', label: 'At most a month, in USD' },
] as const;
