import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Badge, Button, EmptyState, Icon, ListExport, Loaded, RowMenu, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { groupsQuery, keysQuery } from '../administration/lists';
import { useAuthority } from '../administration/use-authority';
import { DeleteDialog } from './delete-dialog';
import { GuardrailDialog } from './guardrail-dialog';
import { GuardrailTry } from './guardrail-try';
import { guardrailsQuery, type Guardrail } from './rules-queries';

export function GuardrailsTab() {
  const { canAdminister } = useAuthority();
  const [opened, setOpened] = useState<{ readonly guardrail: Guardrail | null }>();
  const [deleted, setDeleted] = useState<Guardrail>();
  const guardrails = useQuery(guardrailsQuery);
  const nameScope = useScopeNames();
  const columns = listColumns(nameScope, canAdminister ? { edit: (guardrail) => setOpened({ guardrail }), remove: setDeleted } : undefined);
  const ids = (guardrails.data ?? []).map(({ id }) => id);
  return (
    <div className="stack">
      <section className="panel" aria-labelledby="rules-guardrails">
        <div className="panel-body spread">
          <div>
            <h2 id="rules-guardrails">Guardrails</h2>
            <p className="quiet">What is looked for in requests and replies, and what is done when it is found.</p>
          </div>
          <div className="row">
            <ListExport name="guardrails" columns={listCsv(nameScope)} rows={guardrails.data ?? []} />
            {canAdminister && (
              <Button kind="primary" onClick={() => setOpened({ guardrail: null })}>
                <Icon name="plus" size={14} /> New guardrail
              </Button>
            )}
          </div>
        </div>
        <Loaded query={guardrails}>
          {(all) => (
            <Table
              label="All guardrails"
              columns={columns}
              rows={all}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No guardrails yet" text="One can mask email addresses, or stop secrets before they leave." />}
            />
          )}
        </Loaded>
      </section>
      {ids.length > 0 && (
        <div className="panel panel-body">
          <GuardrailTry title="Try all of them together" ask={{ guardrail_ids: ids.slice(0, TRIED_MAX) }} />
        </div>
      )}
      {opened !== undefined && <GuardrailDialog guardrail={opened.guardrail} onClose={() => setOpened(undefined)} />}
      {deleted !== undefined && (
        <DeleteDialog
          kind="guardrail"
          name={deleted.name}
          queryKey="guardrails"
          onClose={() => setDeleted(undefined)}
          remove={() => unwrap(api.DELETE('/v1/manage/guardrail/{id}', { params: { path: { id: deleted.id } } }))}
        >
          <p>Within five seconds requests and replies are not checked by it any more.</p>
        </DeleteDialog>
      )}
    </div>
  );
}

/** As many as the interface takes at once. */
const TRIED_MAX = 100;

const STAGE_NAMES = { both: 'requests and replies', input: 'requests', output: 'replies' } as const;
const ACTION_KINDS = { flag: 'normal', mask: 'warn', block: 'bad' } as const;

type NameScope = (guardrail: Guardrail) => string;
type Actions = { readonly edit: (guardrail: Guardrail) => void; readonly remove: (guardrail: Guardrail) => void };

function listColumns(nameScope: NameScope, actions: Actions | undefined): Column<Guardrail>[] {
  const columns: Column<Guardrail>[] = [
    { id: 'name', head: 'Name', width: 200, cell: ({ name }) => name },
    { id: 'detectors', head: 'Looks for', width: 260, cell: (guardrail) => nameDetectors(guardrail) },
    { id: 'action', head: 'Does', width: 90, cell: ({ action }) => <Badge kind={ACTION_KINDS[action]}>{action}</Badge> },
    { id: 'stage', head: 'In', width: 160, cell: ({ stage }) => STAGE_NAMES[stage] },
    { id: 'scope', head: 'Holds for', width: 180, cell: nameScope },
    { id: 'changed', head: 'Changed', width: 110, cell: ({ updated_at: at }) => <Time at={at} form="day" /> },
  ];
  if (actions === undefined) return columns;
  const cell = (guardrail: Guardrail) => (
    <RowMenu
      label={`Change or delete ${guardrail.name}`}
      entries={[
        { label: 'Change …', onSelect: () => actions.edit(guardrail) },
        { label: 'Delete …', isDanger: true, onSelect: () => actions.remove(guardrail) },
      ]}
    />
  );
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Change or delete</span>, width: 64, cell }];
}

function nameDetectors({ detectors, scanner_url: scanner }: Guardrail): string {
  const names = detectors.map((detector) => (typeof detector === 'string' ? detector : detector.name));
  return [...names, ...(scanner === undefined ? [] : ['a scanner'])].join(', ');
}

function listCsv(nameScope: NameScope): readonly CsvColumn<Guardrail>[] {
  return [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['detectors', nameDetectors],
    ['action', ({ action }) => action],
    ['stage', ({ stage }) => stage],
    ['on_error', (guardrail) => guardrail.on_error],
    ['holds_for', nameScope],
    ['version', ({ version }) => version],
  ];
}

function useScopeNames(): NameScope {
  const { seesAll } = useAuthority();
  const keys = useQuery({ ...keysQuery, enabled: seesAll }).data ?? [];
  const groups = useQuery({ ...groupsQuery, enabled: seesAll }).data ?? [];
  return ({ api_key_id: key, group_id: group }) => {
    if (key !== undefined) return `key “${keys.find(({ id }) => id === key)?.name ?? key}”`;
    if (group !== undefined) return `group “${groups.find(({ id }) => id === group)?.name ?? group}”`;
    return 'everyone';
  };
}
