import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { Badge, ListExport, Loaded, LoadingState, Notice, Table, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import type { DataSettings } from './data-rules-form';
import { DeploymentNotice } from './deployment-notice';
import { useSettled } from './use-settled';

type Preview = Schemas['OrganizationPreview'];
type ShutOut = Preview['shut_out'][number];

type DataRulesPreviewProps = {
  readonly settings: DataSettings;
  /** As they hold now. */
  readonly held: DataSettings;
  readonly isChanged: boolean;
};

/** What settings shut out, before they hold and after. */
export function DataRulesPreview({ settings, held, isChanged }: DataRulesPreviewProps) {
  const settled = useSettled(settings);
  const preview = useQuery({
    queryKey: ['organization', 'preview', settled],
    queryFn: ({ signal }) => unwrap(api.POST('/v1/manage/org/preview', { body: settled, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="panel" aria-labelledby="rules-shut-out">
      <div className="panel-body">
        <h2 id="rules-shut-out">{isChanged ? 'What this would shut out' : 'What is shut out'}</h2>
        <DeploymentNotice area={settled.data_residency} held={held.data_residency} />
      </div>
      <Loaded query={preview} loading={<LoadingState lines={6} />}>
        {(data) => <PreviewParts preview={data} isChanged={isChanged} />}
      </Loaded>
    </section>
  );
}

function PreviewParts({ preview, isChanged }: { readonly preview: Preview; readonly isChanged: boolean }) {
  const { models, shut_out: shutOut, let_in: letIn } = preview;
  const fresh = shutOut.filter(({ is_new: isNew }) => isNew);
  const rows = [...fresh, ...shutOut.filter(({ is_new: isNew }) => !isNew)];
  return (
    <>
      <div className="panel-body stack">
        <p role="status">
          {formatCount(models.usable_then)} of the {formatCount(models.callable)} models that can be called here may be used
          {isChanged && models.usable_then !== models.usable_now && `; now it is ${formatCount(models.usable_now)}`}.
        </p>
        {isChanged && fresh.length > 0 && (
          <Notice kind="warn">
            {formatCount(fresh.length)} {fresh.length === 1 ? 'model that can be used now is' : 'models that can be used now are'} shut out.
            Requests that ask for {fresh.length === 1 ? 'it' : 'them'} are refused; policies leave them out.
          </Notice>
        )}
        {isChanged && letIn.length > 0 && (
          <p className="quiet">
            {formatCount(letIn.length)} {letIn.length === 1 ? 'model comes' : 'models come'} to it.
          </p>
        )}
      </div>
      {shutOut.length > 0 && (
        <>
          <Table label="Shut out" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} maxHeight="480px" />
          <div className="panel-body">
            <ListExport name="models shut out" columns={CSV} rows={rows} />
          </div>
        </>
      )}
    </>
  );
}

const CSV: readonly CsvColumn<ShutOut>[] = [
  ['model', ({ id }) => id],
  ['by', ({ by }) => by],
  ['is_new', ({ is_new: isNew }) => isNew],
  ['message', ({ message }) => message],
];

const COLUMNS: Column<ShutOut>[] = [
  { id: 'id', head: 'Model', width: 260, cell: ({ id }) => <span className="mono">{id}</span> },
  {
    id: 'by',
    head: 'Because of',
    width: 150,
    cell: ({ by, is_new: isNew }) => <Badge kind={isNew ? 'warn' : 'normal'}>{by === 'data_rules' ? 'data rules' : 'not approved'}</Badge>,
  },
  {
    id: 'message',
    head: 'In full',
    width: 420,
    cell: ({ message }) => (
      <span className="exact" data-tip={message} tabIndex={0}>
        {message}
      </span>
    ),
  },
];
