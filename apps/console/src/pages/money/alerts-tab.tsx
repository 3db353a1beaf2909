import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap } from '../../api';
import { Button, ConfirmDialog, EmptyState, Icon, ListExport, Loaded, RowMenu, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { useAuthority } from '../administration/use-authority';
import type { Alert } from './alert-form';
import { AlertBound, useTargetNames, writeRepetition, type NameOf } from './alert-names';
import { CreateAlertDialog } from './create-alert-dialog';
import { DeliveriesDialog } from './deliveries-dialog';
import { EditAlertDialog } from './edit-alert-dialog';
import { TestAlertDialog } from './test-alert-dialog';

/** What is open about one of them. */
type Opened = { readonly alert: Alert; readonly what: 'deliveries' | 'change' | 'test' | 'end' };

export function AlertsTab() {
  const { canAdminister } = useAuthority();
  const [isNew, setNew] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);
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
          <p className="quiet">
            Each reports when its bound is reached, by webhook, as a message or by e-mail: once a month, for the balance once after each
            credit, for a limit once a window.
          </p>
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
            columns={listColumns(nameOf, setOpened, canAdminister)}
            rows={all}
            rowKey={({ id }) => id}
            empty={
              <EmptyState
                title="No alerts yet"
                text="An alert says in time that a key, member, group, limit or the balance nears its end, or that a key does what it never did."
              />
            }
          />
        )}
      </Loaded>
      {isNew && <CreateAlertDialog onClose={() => setNew(false)} />}
      {opened !== null && <OpenedAlert opened={opened} name={nameOf(opened.alert)} onClose={() => setOpened(null)} />}
    </section>
  );
}

function OpenedAlert({
  opened: { alert, what },
  ...rest
}: {
  readonly opened: Opened;
  readonly name: string;
  readonly onClose: () => void;
}) {
  if (what === 'deliveries') return <DeliveriesDialog alertId={alert.id} {...rest} />;
  if (what === 'change') return <EditAlertDialog alert={alert} {...rest} />;
  if (what === 'test') return <TestAlertDialog alert={alert} {...rest} />;
  return <DeleteAlertDialog alert={alert} {...rest} />;
}

const CHANNELS = { webhook: 'Webhook', slack: 'Slack', email: 'E-mail' } as const;

function listColumns(nameOf: NameOf, open: (opened: Opened) => void, canAdminister: boolean): Column<Alert>[] {
  const changes = (alert: Alert) => [
    { label: 'Change', onSelect: () => open({ alert, what: 'change' }) },
    { label: 'Send a test', onSelect: () => open({ alert, what: 'test' }) },
    { label: 'Delete the alert', isDanger: true, onSelect: () => open({ alert, what: 'end' }) },
  ];
  const actions = (alert: Alert): React.ReactNode => (
    <RowMenu
      label={`Deliveries of the alert about ${nameOf(alert)}, and more`}
      entries={[
        { label: 'What it has reported', onSelect: () => open({ alert, what: 'deliveries' }) },
        ...(canAdminister ? changes(alert) : []),
      ]}
    />
  );
  return [
    { id: 'target', head: 'Watches', width: 240, cell: nameOf },
    { id: 'bound', head: 'When', width: 260, cell: (alert) => <When alert={alert} /> },
    { id: 'url', head: 'Reports to', width: 320, cell: (alert) => <Target alert={alert} /> },
    { id: 'made', head: 'Made', width: 140, cell: ({ created_at: at }) => <Time at={at} form="day" /> },
    { id: 'actions', head: <span className="visually-hidden">Actions</span>, width: 64, cell: actions },
  ];
}

function When({ alert }: { readonly alert: Alert }) {
  const repetition = writeRepetition(alert);
  return (
    <>
      <AlertBound alert={alert} />
      {repetition !== '' && <div className="quiet">{repetition}</div>}
    </>
  );
}

function Target({ alert: { channel, target } }: { readonly alert: Alert }) {
  return (
    <>
      {channel !== 'webhook' && <div className="quiet">{CHANNELS[channel]}</div>}
      <span className="mono money-url">{target}</span>
    </>
  );
}

function listAlertCsv(nameOf: NameOf): readonly CsvColumn<Alert>[] {
  return [
    ['id', ({ id }) => id],
    ['scope', ({ scope }) => scope],
    ['watches', nameOf],
    ['api_key_id', (alert) => alert.api_key_id],
    ['group_id', (alert) => alert.group_id],
    ['member_id', (alert) => alert.member_id],
    ['limit_id', (alert) => alert.limit_id],
    ['percentage', ({ percentage }) => percentage],
    ['amount', ({ amount }) => amount],
    ['sensitivity', ({ sensitivity }) => sensitivity],
    ['min_amount', (alert) => alert.min_amount],
    ['channel', ({ channel }) => channel],
    ['target', ({ target }) => target],
    ['repeat_hours', (alert) => alert.repeat_hours],
    ['notify_recovery', (alert) => String(alert.notify_recovery)],
    ['created_at', (alert) => alert.created_at],
  ];
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
      <p className="money-sentence">
        {name}: nothing is reported to <span className="mono">{alert.target}</span> any more, and the secret of the alert ends.
      </p>
    </ConfirmDialog>
  );
}
