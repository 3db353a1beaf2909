import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap } from '../../api';
import { Badge, Button, EmptyState, Icon, ListExport, Loaded, RowMenu, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { useAuthority } from '../administration/use-authority';
import { credentialsQuery, type Credential, type Provider } from '../providers/provider-list';
import { AddKeyDialog, DeleteCredentialDialog, RotateCredentialDialog } from './credential-dialogs';

type Opened = { readonly kind: 'rotate' | 'delete'; readonly credential: Credential };
type Tested = { readonly isBusy: boolean; readonly problem?: string | undefined };

/** The organization's own accounts at this provider. */
export function OwnKeysPanel({ provider }: { readonly provider: Provider }) {
  const { canAdminister } = useAuthority();
  const credentials = useQuery(credentialsQuery);
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const { tested, test } = useTests();
  const rows = (credentials.data ?? []).filter((one) => one.provider === provider.id);
  const add = canAdminister && (
    <Button onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} /> Add an own key
    </Button>
  );
  const close = (): void => setOpened(undefined);
  const empty = (
    <EmptyState
      title="No own key"
      text={`With one, requests of this organization go to its own account at ${provider.name}, which charges it directly.`}
      action={add}
    />
  );
  return (
    <section className="panel" aria-labelledby="own-keys">
      <div className="panel-body spread">
        <h2 id="own-keys">Own keys</h2>
        {rows.length > 0 && (
          <div className="row">
            <ListExport name={`own keys for ${provider.name}`} columns={CSV} rows={rows} />
            {add}
          </div>
        )}
      </div>
      <Loaded query={credentials}>
        {() => (
          <Table
            label={`Own keys for ${provider.name}`}
            columns={listColumns({ tested, test, open: setOpened, canAdminister })}
            rows={rows}
            rowKey={({ id }) => id}
            empty={empty}
          />
        )}
      </Loaded>
      {isAdding && <AddKeyDialog provider={provider} onClose={() => setAdding(false)} />}
      {opened?.kind === 'rotate' && <RotateCredentialDialog provider={provider} credential={opened.credential} onClose={close} />}
      {opened?.kind === 'delete' && (
        <DeleteCredentialDialog provider={provider} credential={opened.credential} isLast={rows.length === 1} onClose={close} />
      )}
    </section>
  );
}

const CSV: readonly CsvColumn<Credential>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['last4', ({ last4 }) => last4],
  ['mode', ({ mode }) => mode],
  ['version', ({ version }) => version],
  ['updated_at', ({ updated_at: at }) => at],
];

/** What the provider said of each key, while the page is open. */
function useTests() {
  const [tested, setTested] = useState<ReadonlyMap<string, Tested>>(new Map());
  const note = (id: string, result: Tested): void => setTested((old) => new Map(old).set(id, result));
  const { mutate } = useMutation({
    mutationFn: ({ id }: Credential) => unwrap(api.POST('/v1/manage/provider-credential/{id}/test', { params: { path: { id } } })),
    onMutate: ({ id }) => note(id, { isBusy: true }),
    onSuccess: (result, { id }) => note(id, { isBusy: false, ...(result.ok ? {} : { problem: result.why }) }),
    onError: (error, { id }) => note(id, { isBusy: false, problem: explain(error) }),
  });
  return { tested, test: (credential: Credential) => mutate(credential) };
}

type ColumnParts = {
  readonly tested: ReadonlyMap<string, Tested>;
  readonly test: (credential: Credential) => void;
  readonly open: (opened: Opened) => void;
  readonly canAdminister: boolean;
};

function listColumns({ tested, test, open, canAdminister }: ColumnParts): Column<Credential>[] {
  const columns: Column<Credential>[] = [
    { id: 'name', head: 'Name', cell: ({ name }) => name },
    { id: 'last4', head: 'Ends in', cell: ({ last4 }) => <code>…{last4}</code> },
    { id: 'mode', head: 'Used', cell: ({ mode }) => <Badge>{mode === 'only' ? 'alone' : 'first'}</Badge> },
    { id: 'changed', head: 'Secret since', cell: ({ updated_at: at }) => <Time at={at} form="day" /> },
    { id: 'test', head: 'Works?', cell: (one) => <TestResult tested={tested.get(one.id)} credential={one} onTest={test} /> },
  ];
  if (!canAdminister) return columns.slice(0, -1);
  const cell = (credential: Credential): React.ReactNode => (
    <RowMenu
      label={`Change or forget ${credential.name}`}
      entries={[
        { label: 'New secret …', onSelect: () => open({ kind: 'rotate', credential }) },
        'line',
        { label: 'Forget …', onSelect: () => open({ kind: 'delete', credential }), isDanger: true },
      ]}
    />
  );
  return [...columns, { id: 'actions', head: <span className="visually-hidden">Actions</span>, cell }];
}

type TestProps = {
  readonly tested: Tested | undefined;
  readonly credential: Credential;
  readonly onTest: (credential: Credential) => void;
};

function TestResult({ tested, credential, onTest }: TestProps) {
  return (
    <span className="row" aria-live="polite">
      {tested !== undefined && !tested.isBusy && tested.problem === undefined && <Badge kind="good">works</Badge>}
      {tested?.problem !== undefined && (
        <>
          <Badge kind="bad">does not work</Badge>
          <span className="providers-problem">{tested.problem}</span>
        </>
      )}
      <Button isBusy={tested?.isBusy === true} onClick={() => onTest(credential)}>
        Test<span className="visually-hidden"> {credential.name}</span>
      </Button>
    </span>
  );
}
