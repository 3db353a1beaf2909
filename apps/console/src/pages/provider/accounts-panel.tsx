import { ListExport, Table, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import { HealthBadge } from '../providers/health-parts';
import type { Provider } from '../providers/provider-list';

type Account = Provider['accounts'][number];

const COLUMNS: readonly Column<Account>[] = [
  { id: 'name', head: 'Account', cell: ({ id }) => <code>{id}</code> },
  { id: 'weight', head: 'Weight', cell: ({ weight }) => (weight === 0 ? 'only when the others fail' : formatCount(weight)) },
  { id: 'region', head: 'Region', cell: ({ region }) => region ?? <span className="quiet">any</span> },
  { id: 'health', head: 'Health', cell: ({ state }) => <HealthBadge state={state} error_share={null} /> },
];

const CSV: readonly CsvColumn<Account>[] = [
  ['account', ({ id }) => id],
  ['weight', ({ weight }) => weight],
  ['region', ({ region }) => region],
  ['state', ({ state }) => state],
];

/** The gateway's accounts where there are several. Their keys and addresses are the operator's, and never here. */
export function AccountsPanel({ provider: { name, accounts } }: { readonly provider: Provider }) {
  if (accounts.length === 0) return null;
  return (
    <div className="panel">
      <div className="panel-body spread">
        <div>
          <h2>Several accounts</h2>
          <p className="quiet">Requests to {name} are spread over them by their weights. The operator of the gateway sets them.</p>
        </div>
        <ListExport name={`accounts of ${name}`} columns={CSV} rows={accounts} />
      </div>
      <Table label="Several accounts" columns={COLUMNS} rows={accounts} rowKey={({ id }) => id} />
    </div>
  );
}
