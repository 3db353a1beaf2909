import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Button, EmptyState, Icon, ListExport, Loaded, RowMenu, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { useAuthority } from '../administration/use-authority';
import { AliasDialog } from './alias-dialog';
import { DeleteDialog } from './delete-dialog';
import { PolicyDialog } from './policy-dialog';
import { PolicyCard } from './policy-card';
import { aliasesQuery, policiesQuery, type Alias, type Policy } from './rules-queries';

/** Policies with the picture of their order, and aliases. */
export function RoutesTab() {
  return (
    <div className="stack">
      <Policies />
      <Aliases />
    </div>
  );
}

function Policies() {
  const { canAdminister } = useAuthority();
  const [opened, setOpened] = useState<{ readonly policy: Policy | null }>();
  const [deleted, setDeleted] = useState<Policy>();
  const policies = useQuery(policiesQuery);
  const actions = canAdminister ? { edit: (policy: Policy) => setOpened({ policy }), remove: setDeleted } : undefined;
  return (
    <section className="panel" aria-labelledby="rules-policies">
      <div className="panel-body spread">
        <div>
          <h2 id="rules-policies">Policies</h2>
          <p className="quiet">Several models under one name, and how to choose among them.</p>
        </div>
        <div className="row">
          <ListExport name="policies" columns={POLICY_CSV} rows={policies.data ?? []} />
          {canAdminister && (
            <Button kind="primary" onClick={() => setOpened({ policy: null })}>
              <Icon name="plus" size={14} /> New policy
            </Button>
          )}
        </div>
      </div>
      <Loaded query={policies}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No policies yet" text="A policy goes on to the next model when one fails, or divides requests by weight." />
          ) : (
            <ul className="rules-cards">
              {all.map((policy) => (
                <li key={policy.id}>
                  <PolicyCard policy={policy} all={all} actions={actions} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {opened !== undefined && <PolicyDialog policy={opened.policy} onClose={() => setOpened(undefined)} />}
      {deleted !== undefined && (
        <DeleteDialog
          kind="policy"
          name={deleted.name}
          queryKey="policies"
          onClose={() => setDeleted(undefined)}
          remove={() => unwrap(api.DELETE('/v1/manage/policy/{name}', { params: { path: { name: deleted.name } } }))}
        >
          <p>
            Requests for <code>policy/{deleted.name}</code> are refused from then on. A policy that an alias or another policy leads to is
            not deleted.
          </p>
        </DeleteDialog>
      )}
    </section>
  );
}

function Aliases() {
  const { canAdminister } = useAuthority();
  const [opened, setOpened] = useState<{ readonly alias: Alias | null }>();
  const [deleted, setDeleted] = useState<Alias>();
  const aliases = useQuery(aliasesQuery);
  const columns = listColumns(canAdminister ? { edit: (alias) => setOpened({ alias }), remove: setDeleted } : undefined);
  return (
    <section className="panel" aria-labelledby="rules-aliases">
      <div className="panel-body spread">
        <div>
          <h2 id="rules-aliases">Aliases</h2>
          <p className="quiet">Names of your own for a chat model or a policy.</p>
        </div>
        <div className="row">
          <ListExport name="aliases" columns={ALIAS_CSV} rows={aliases.data ?? []} />
          {canAdminister && (
            <Button kind="primary" onClick={() => setOpened({ alias: null })}>
              <Icon name="plus" size={14} /> New alias
            </Button>
          )}
        </div>
      </div>
      <Loaded query={aliases}>
        {(all) => (
          <Table
            label="All aliases"
            columns={columns}
            rows={all}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No aliases yet" text="With one, the model behind a name can be changed in one place." />}
          />
        )}
      </Loaded>
      {opened !== undefined && <AliasDialog alias={opened.alias} onClose={() => setOpened(undefined)} />}
      {deleted !== undefined && (
        <DeleteDialog
          kind="alias"
          name={deleted.name}
          queryKey="aliases"
          onClose={() => setDeleted(undefined)}
          remove={() => unwrap(api.DELETE('/v1/manage/alias/{name}', { params: { path: { name: deleted.name } } }))}
        >
          <p>
            Requests for <code>{deleted.name}</code> are refused from then on.
          </p>
        </DeleteDialog>
      )}
    </section>
  );
}

const POLICY_CSV: readonly CsvColumn<Policy>[] = [
  ['id', ({ id }) => id],
  ['strategy', ({ strategy }) => strategy],
  ['models', ({ models }) => models.map(({ model }) => model).join(' ')],
  ['weights', ({ models }) => models.map(({ weight }) => weight).join(' ')],
  ['retries', ({ models }) => models.map(({ retries }) => retries).join(' ')],
  ['sticky_by', (policy) => policy.sticky_by],
  ['first_content_ms', (policy) => policy.first_content_ms],
  ['idle_ms', (policy) => policy.idle_ms],
  ['version', ({ version }) => version],
];

const ALIAS_CSV: readonly CsvColumn<Alias>[] = [
  ['name', ({ name }) => name],
  ['model', ({ model }) => model],
  ['version', ({ version }) => version],
];

type AliasActions = { readonly edit: (alias: Alias) => void; readonly remove: (alias: Alias) => void };

function listColumns(actions: AliasActions | undefined): Column<Alias>[] {
  const columns: Column<Alias>[] = [
    { id: 'name', head: 'Name', width: 220, cell: ({ name }) => <span className="mono">{name}</span> },
    { id: 'model', head: 'Stands for', width: 320, cell: ({ model }) => <span className="mono">{model}</span> },
    { id: 'changed', head: 'Changed', width: 140, cell: ({ updated_at: at }) => <Time at={at} form="day" /> },
  ];
  if (actions === undefined) return columns;
  const cell = (alias: Alias) => (
    <RowMenu
      label={`Change or delete ${alias.name}`}
      entries={[
        { label: 'Change …', onSelect: () => actions.edit(alias) },
        { label: 'Delete …', isDanger: true, onSelect: () => actions.remove(alias) },
      ]}
    />
  );
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Change or delete</span>, width: 64, cell }];
}
