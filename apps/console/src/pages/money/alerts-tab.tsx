import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, type Schemas } from '../../api';
import { Button, ConfirmDialog, EmptyState, Icon, IconButton, Loaded, Money, Table, Time, type Column } from '../../design';
import { groupsQuery, keysQuery, membersQuery } from '../administration/lists';
import { explain } from '../administration/refusals';
import { useAuthority } from '../administration/use-authority';
import { CreateAlertDialog } from './create-alert-dialog';

type Alert = Schemas['Alert'];
type NameOf = (alert: Alert) => string;

export function AlertsTab() {
  const { canAdminister } = useAuthority();
  const [isNew, setNew] = useState(false);
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
        {canAdminister && create}
      </div>
      <Loaded query={alerts}>
        {(all) => (
          <Table
            label="Alerts"
            columns={listColumns(nameOf, canAdminister ? setEnded : undefined)}
            rows={all}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No alerts yet" text="An alert says in time that a key, member, group or the balance nears its end." />
            }
          />
        )}
      </Loaded>
      {isNew && <CreateAlertDialog onClose={() => setNew(false)} />}
      {ended !== null && <DeleteAlertDialog alert={ended} name={nameOf(ended)} onClose={() => setEnded(null)} />}
    </section>
  );
}

function listColumns(nameOf: NameOf, end: ((alert: Alert) => void) | undefined): Column<Alert>[] {
  const columns: Column<Alert>[] = [
    { id: 'target', head: 'Watches', width: 260, cell: nameOf },
    { id: 'bound', head: 'When', width: 260, cell: (alert) => <AlertBound alert={alert} /> },
    { id: 'url', head: 'Calls', width: 320, cell: ({ url }) => <span className="mono money-url">{url}</span> },
    { id: 'made', head: 'Made', width: 140, cell: ({ created_at: at }) => <Time at={at} form="day" /> },
  ];
  if (end === undefined) return columns;
  const cell = (alert: Alert): React.ReactNode => (
    <IconButton label={`Delete the alert about ${nameOf(alert)}`} onClick={() => end(alert)}>
      <Icon name="close" size={14} />
    </IconButton>
  );
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Delete</span>, width: 64, cell }];
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
