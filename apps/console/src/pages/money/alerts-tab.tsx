import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap, type Schemas } from '../../api';
import { Button, ConfirmDialog, EmptyState, Icon, ListExport, Loaded, Money, RowMenu, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { groupsQuery, keysQuery, membersQuery } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import { CreateAlertDialog } from './create-alert-dialog';
import { DeliveriesDialog } from './deliveries-dialog';

type Alert = Schemas['Alert'];
type NameOf = (alert: Alert) => string;

export function AlertsTab() {
  const { canAdminister } = useAuthority();
  const [isNew, setNew] = useState(false);
  const [shown, setShown] = useState<Alert | null>(null);
  const [ended, setEnded] = useState<Alert | null>(null);
  const nameOf = useTargetNames();
  const alerts = useQuery({
    queryKey: ['alerts'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/manage/alert', { signal }))).alerts,
  });
  const create = (
    <Button kind="primary" onClick={() => setNew(true)}>
      <Icon name="plus" size={14} /> New alert
    </Button>
  );
  return (
    <section className="panel" aria-labelledby="money-alerts">
      <div className="panel-body spread">
        <div>
          <h2 id="money-alerts">Alerts</h2>
          <p className="quiet">Each calls an address when its bound is reached: once a month, for the balance once after each credit.</p>
        </div>
        <div className="row">
          <ListExport name="alerts" columns={listAlertCsv(nameOf)} rows={alerts.data ?? []} />
          {canAdminister && create}
        </div>
      </div>
      <Loaded query={alerts}>
        {(all) => (
          <Table
            label="Alerts of the organization"
            columns={listColumns(nameOf, { show: setShown, end: canAdminister ? setEnded : undefined })}
            rows={all}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No alerts yet" text="An alert says in time that a key, member, group or the balance nears its end." />
            }
          />
        )}
      </Loaded>
      {isNew && <CreateAlertDialog onClose={() => setNew(false)} />}
      {shown !== null && <DeliveriesDialog alertId={shown.id} name={nameOf(shown)} onClose={() => setShown(null)} />}
      {ended !== null && <DeleteAlertDialog alert={ended} name={nameOf(ended)} onClose={() => setEnded(null)} />}
    </section>
  );
}

type Acts = { readonly show: (alert: Alert) => void; readonly end: ((alert: Alert) => void) | undefined };

function listColumns(nameOf: NameOf, { show, end }: Acts): Column<Alert>[] {
  const actions = (alert: Alert): React.ReactNode => (
    <RowMenu
      label={`Deliveries of the alert about ${nameOf(alert)}, and more`}
      entries={[
        { label: 'What it has reported', onSelect: () => show(alert) },
        ...(end === undefined ? [] : [{ label: 'Delete the alert', isDanger: true, onSelect: () => end(alert) }]),
      ]}
    />
  );
  return [
    { id: 'target', head: 'Watches', width: 260, cell: nameOf },
    { id: 'bound', head: 'When', width: 260, cell: (alert) => <AlertBound alert={alert} /> },
    { id: 'url', head: 'Calls', width: 320, cell: ({ url }) => <span className="mono money-url">{url}</span> },
    { id: 'made', head: 'Made', width: 140, cell: ({ created_at: at }) => <Time at={at} form="day" /> },
    { id: 'actions', head: <span className="visually-hidden">Actions</span>, width: 64, cell: actions },
  ];
}

function listAlertCsv(nameOf: NameOf): readonly CsvColumn<Alert>[] {
  return [
    ['id', ({ id }) => id],
    ['scope', ({ scope }) => scope],
    ['watches', nameOf],
    ['api_key_id', (alert) => alert.api_key_id],
    ['group_id', (alert) => alert.group_id],
    ['member_id', (alert) => alert.member_id],
    ['percentage', ({ percentage }) => percentage],
    ['amount_usd', ({ amount }) => amount],
    ['url', ({ url }) => url],
    ['created_at', (alert) => alert.created_at],
  ];
}

function AlertBound({ alert: { scope, percentage, amount } }: { readonly alert: Alert }) {
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

/** What an alert watches, by name where the name is known. */
function useTargetNames(): NameOf {
  const keys = useQuery(keysQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const members = useQuery(membersQuery).data ?? [];
  return ({ scope, api_key_id: key, group_id: group, member_id: member }) => {
    const groupName = groups.find(({ id }) => id === group)?.name ?? group;
    if (scope === 'balance') return 'The balance';
    if (scope === 'key') return `Key “${keys.find(({ id }) => id === key)?.name ?? key}”`;
    if (scope === 'group') return `Group “${groupName}”`;
    return `${members.find(({ user_id: id }) => id === member)?.user_email ?? member} in “${groupName}”`;
  };
}

type DeleteProps = { readonly alert: Alert; readonly name: string; readonly onClose: () => void };

function DeleteAlertDialog({ alert, name, onClose }: DeleteProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/manage/alert/{id}', { params: { path: { id: alert.id } } })),
    onSuccess: () => {
      onClose();
      void client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete this alert?"
      action="Delete the alert"
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : explain(remove.error)}
      onConfirm={() => remove.mutate()}
    >
      <p>
        {name}: <span className="mono">{alert.url}</span> is not called any more, and the secret of the alert ends.
      </p>
    </ConfirmDialog>
  );
}
