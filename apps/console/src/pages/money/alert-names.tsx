import { useQuery } from '@tanstack/react-query';
import { Money } from '../../design';
import { groupsQuery, keysQuery, membersQuery } from '../administration/lists';
import type { Alert } from './alert-form';
import { limitsQuery, unitOfLimit } from './limits-query';

export type NameOf = (alert: Alert) => string;

/** What an alert watches, by name where the name is known. */
export function useTargetNames(): NameOf {
  const keys = useQuery(keysQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const members = useQuery(membersQuery).data ?? [];
  const limits = useQuery(limitsQuery).data ?? [];
  const nameKey = (key: string | undefined): string => `Key “${keys.find(({ id }) => id === key)?.name ?? key}”`;
  const nameGroup = (group: string | undefined): string => `“${groups.find(({ id }) => id === group)?.name ?? group}”`;
  const names: Readonly<Record<Alert['scope'], NameOf>> = {
    balance: () => 'The balance',
    key: ({ api_key_id: key }) => nameKey(key),
    anomaly: ({ api_key_id: key }) => (key === undefined ? 'Every key' : nameKey(key)),
    group: ({ group_id: group }) => `Group ${nameGroup(group)}`,
    member: ({ group_id: group, member_id: member }) =>
      `${members.find(({ user_id: id }) => id === member)?.user_email ?? member} in ${nameGroup(group)}`,
    limit: ({ limit_id: limit }) => `Limit “${limits.find(({ id }) => id === limit)?.name ?? limit}”`,
  };
  return (alert) => names[alert.scope](alert);
}

const SOON = { low: 'very far', medium: 'far', high: 'clearly' } as const;

export function AlertBound({ alert }: { readonly alert: Alert }) {
  const { scope, percentage, amount } = alert;
  if (scope === 'anomaly') return <UnusualHour alert={alert} />;
  if (scope === 'limit') return <LimitBound alert={alert} />;
  if (scope === 'balance')
    return amount === null ? <>{percentage}% or less of the last credit is left</> : <>{<Money amount={amount} />} or less is left</>;
  if (amount !== null)
    return (
      <>
        <Money amount={amount} /> are spent in a month
      </>
    );
  return <>{percentage}% of the monthly limit are spent</>;
}

function UnusualHour({ alert: { measure, sensitivity = 'medium', min_amount: least } }: { readonly alert: Alert }) {
  const isUsd = measure !== 'requests';
  return (
    <>
      An hour is {SOON[sensitivity]} above the usual, and at least {isUsd ? <Money amount={least ?? '0'} /> : `${least} requests`}
    </>
  );
}

function LimitBound({ alert: { limit_id: limit, percentage, amount } }: { readonly alert: Alert }) {
  const limits = useQuery(limitsQuery).data ?? [];
  const unit = unitOfLimit(limits.find(({ id }) => id === limit));
  if (amount === null) return <>{percentage}% of the limit are used</>;
  return <>{unit === 'USD' ? <Money amount={amount} /> : `${amount} ${unit}`} are used</>;
}

/** How often it reports, in a few words; nothing for what alerts do unless asked. */
export function writeRepetition({ repeat_hours: hours, notify_recovery: recovery }: Alert): string {
  const again = hours === null ? [] : [hours === 1 ? 'again every hour' : `again every ${hours} hours`];
  return [...again, ...(recovery ? ['and when it is over'] : [])].join(', ').replace(', and', ' and');
}
