import { useQuery } from '@tanstack/react-query';
import type { Form } from '../../api';
import { Segments, Select, TextField } from '../../design';
import { groupQuery, groupsQuery, keysQuery } from '../administration/lists';
import type { AlertForm } from './alert-form';
import { limitsQuery, unitOfLimit } from './limits-query';

export type AlertFieldsProps = {
  readonly form: AlertForm;
  readonly change: (part: Partial<AlertForm>) => void;
  readonly errorAt: Form<unknown>['errorAt'];
};

const CHOOSE = { value: '', label: 'Choose …' };
const MEASURES = [
  { value: 'amount', label: 'Amount' },
  { value: 'percentage', label: 'Percent' },
] as const;
const COUNTS = [
  { value: 'usd', label: 'USD' },
  { value: 'requests', label: 'Requests' },
] as const;
const SENSITIVITIES = [
  { value: 'low', label: 'Less sensitive' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'More sensitive' },
] as const;
const CHANNELS = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
  { value: 'email', label: 'E-mail' },
] as const;

/** What is watched. */
export function TargetFields(props: AlertFieldsProps) {
  const { scope } = props.form;
  if (scope === 'balance') return null;
  if (scope === 'limit') return <LimitTarget {...props} />;
  return scope === 'key' || scope === 'anomaly' ? <KeyTarget {...props} /> : <GroupTarget {...props} />;
}

function KeyTarget({ form, change, errorAt }: AlertFieldsProps) {
  const keys = useQuery(keysQuery).data ?? [];
  const first = form.scope === 'anomaly' ? { value: '', label: 'Every key' } : CHOOSE;
  return (
    <Select
      label="Key"
      value={form.key}
      options={[first, ...keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} (… ${last4})` }))]}
      error={errorAt('api_key_id')}
      onChange={(key) => change({ key })}
    />
  );
}

function LimitTarget({ form, change, errorAt }: AlertFieldsProps) {
  const limits = (useQuery(limitsQuery).data ?? []).filter(({ window }) => window !== undefined);
  return (
    <Select
      label="Limit"
      hint={limits.length === 0 ? 'There is none yet that counts over a time.' : undefined}
      value={form.limit}
      options={[CHOOSE, ...limits.map(({ id, name }) => ({ value: id, label: name }))]}
      error={errorAt('limit_id')}
      onChange={(limit) => change({ limit })}
    />
  );
}

function GroupTarget({ form, change, errorAt }: AlertFieldsProps) {
  const isMember = form.scope === 'member';
  const groups = useQuery(groupsQuery).data ?? [];
  const inside = useQuery({ ...groupQuery(form.group), enabled: isMember && form.group !== '' }).data?.members ?? [];
  return (
    <>
      <Select
        label="Group"
        value={form.group}
        options={[CHOOSE, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
        error={errorAt('group_id')}
        onChange={(group) => change({ group, member: '' })}
      />
      {isMember && (
        <Select
          label="Member"
          value={form.member}
          options={[CHOOSE, ...inside.map(({ id, email }) => ({ value: id, label: email }))]}
          error={errorAt('member_id')}
          onChange={(member) => change({ member })}
        />
      )}
    </>
  );
}

type BoundProps = AlertFieldsProps & {
  /** Of a limit that is watched. */
  readonly unit: string;
  /** What it counts stays. */
  readonly isKept?: boolean;
};

/** From when on it reports. */
export function BoundFields({ form, change, errorAt, unit, isKept = false }: BoundProps) {
  if (form.scope === 'anomaly') return <AnomalyFields {...{ form, change, errorAt, isKept }} />;
  return (
    <div className="stack">
      <div>
        <Segments label="Bound" value={form.measure} options={MEASURES} onChange={(measure) => change({ measure })} />
      </div>
      <TextField
        label={labelBound(form, unit)}
        inputMode="decimal"
        value={form.value}
        error={errorAt('percentage', 'amount')}
        onChange={(event) => change({ value: event.target.value })}
      />
    </div>
  );
}

function labelBound({ scope, measure }: AlertForm, unit: string): string {
  if (scope === 'balance') return measure === 'amount' ? 'At or below, in USD' : 'At or below, in percent of the last credit';
  if (scope === 'limit') return measure === 'amount' ? `Used, in ${unit}` : 'Used, in percent of the limit';
  return measure === 'amount' ? 'Spent in a month, in USD' : 'Spent, in percent of the monthly limit';
}

function AnomalyFields({ form, change, errorAt, isKept }: AlertFieldsProps & { readonly isKept: boolean }) {
  const isUsd = form.counts === 'usd';
  return (
    <div className="stack">
      {!isKept && (
        <div>
          <Segments label="Counts" value={form.counts} options={COUNTS} onChange={(counts) => change({ counts })} />
        </div>
      )}
      <div>
        <Segments
          label="Sensitivity"
          value={form.sensitivity}
          options={SENSITIVITIES}
          onChange={(sensitivity) => change({ sensitivity })}
        />
      </div>
      <TextField
        label={isUsd ? 'Only hours of at least, in USD' : 'Only hours of at least, in requests'}
        hint={`${isUsd ? '$1' : '100 requests'} where nothing is written.`}
        inputMode="decimal"
        value={form.least}
        error={errorAt('min_amount')}
        onChange={(event) => change({ least: event.target.value })}
      />
    </div>
  );
}

/** How it reports. */
export function ChannelFields(props: AlertFieldsProps) {
  const { form, change } = props;
  return (
    <div className="stack">
      <div>
        <Segments label="Reports by" value={form.channel} options={CHANNELS} onChange={(channel) => change({ channel })} />
      </div>
      <AddressField {...props} />
    </div>
  );
}

const HINTS = {
  webhook: 'A public one. What is sent there is signed with the secret of the alert.',
  slack: 'An incoming webhook of Slack, Mattermost or Discord. It is a secret: only its host is shown afterwards.',
} as const;

type AddressProps = AlertFieldsProps & { readonly hint?: string };

export function AddressField({ form, change, errorAt, hint }: AddressProps) {
  const { channel } = form;
  if (channel === 'email')
    return (
      <TextField
        label="Recipients"
        hint="Up to ten addresses, with commas between them."
        value={form.to}
        error={errorAt('to', 'channel')}
        onChange={(event) => change({ to: event.target.value })}
      />
    );
  return (
    <TextField
      label="Address to call"
      hint={hint ?? HINTS[channel]}
      inputMode="url"
      placeholder="https://"
      value={form.url}
      error={errorAt('url')}
      onChange={(event) => change({ url: event.target.value })}
    />
  );
}

/** How often, and whether also when it is over. */
export function RepeatFields({ form, change, errorAt }: AlertFieldsProps) {
  return (
    <div className="stack">
      <TextField
        label="Again after, in hours"
        hint="While it holds. Empty: once a period."
        inputMode="numeric"
        value={form.repeat}
        error={errorAt('repeat_hours')}
        onChange={(event) => change({ repeat: event.target.value })}
      />
      <label className="money-check">
        <input type="checkbox" checked={form.recovery} onChange={(event) => change({ recovery: event.target.checked })} />
        Report also when it is over
      </label>
    </div>
  );
}

/** What the amounts of a form are in. */
export function useUnit({ scope, limit }: AlertForm): string {
  const limits = useQuery({ ...limitsQuery, enabled: scope === 'limit' }).data ?? [];
  return unitOfLimit(limits.find(({ id }) => id === limit));
}
