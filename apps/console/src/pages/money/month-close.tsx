import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api';
import { Badge, Button, EmptyState, Icon, ListExport, Loaded, Money, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import { FORMATS, judgeMonth, listMonths, nameMonth, toExportUrl, type Reconciliation } from './months';

const route = getRouteApi('/shell/money');

/** A year to compare with, and the month that runs. */
const SHOWN = 13;

export function MonthClose() {
  const { month } = route.useSearch();
  const navigate = route.useNavigate();
  const [nowMs] = useState(() => Date.now());
  const months = listMonths(nowMs, SHOWN);
  const chosen = month ?? months[1] ?? '';
  const choose = (next: string): void => void navigate({ search: (old) => ({ ...old, month: next }), replace: true });
  return (
    <div className="money-months">
      <section className="panel" aria-labelledby="money-files">
        <div className="panel-body">
          <h2 id="money-files">Usage of a month, as a file</h2>
          <p className="quiet">
            Book <code>billed_usd</code>. Usage can arrive up to 35 days late: fetch a month again before the next close; a higher revision
            replaces the file.
          </p>
        </div>
        <Table
          label="Files of usage by month"
          columns={listColumns(chosen, choose, nowMs)}
          rows={months}
          rowKey={(one) => one}
          maxHeight="none"
        />
      </section>
      <Report month={chosen} nowMs={nowMs} />
    </div>
  );
}

function listColumns(chosen: string, choose: (month: string) => void, nowMs: number): Column<string>[] {
  const running = listMonths(nowMs, 1)[0];
  return [
    {
      id: 'month',
      head: 'Month, UTC',
      cell: (month) => (
        <span className="row">
          <span className="number">{nameMonth(month)}</span>
          {month === running && <Badge kind="warn">not final</Badge>}
        </span>
      ),
    },
    { id: 'files', head: 'Download', cell: (month) => <Files month={month} /> },
    {
      id: 'check',
      head: <span className="visually-hidden">Check</span>,
      cell: (month) => (
        <Button kind={month === chosen ? 'normal' : 'plain'} aria-pressed={month === chosen} onClick={() => choose(month)}>
          Check
          <span className="visually-hidden"> {nameMonth(month)}</span>
        </Button>
      ),
    },
  ];
}

function Files({ month }: { readonly month: string }) {
  return (
    <span className="money-files">
      {FORMATS.map(({ format, label }) => (
        <a key={format} href={toExportUrl(month, format)} download>
          <Icon name="download" size={14} /> {label}
          <span className="visually-hidden"> of {nameMonth(month)}</span>
        </a>
      ))}
    </span>
  );
}

function Report({ month, nowMs }: { readonly month: string; readonly nowMs: number }) {
  const report = useQuery({
    queryKey: ['reconciliation', month],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/v1/manage/reconciliation', { params: { query: { month } }, signal }))).reconciliation,
    staleTime: 0,
  });
  return (
    <section className="panel" aria-labelledby="money-report">
      <div className="panel-body">
        <h2 id="money-report">{nameMonth(month)} in the books</h2>
      </div>
      <Loaded query={report}>{(found) => <Places report={found} nowMs={nowMs} />}</Loaded>
    </section>
  );
}

type Place = Reconciliation['places'][number];
type Difference = Reconciliation['differences'][number];

const PLACES: Readonly<Record<string, string>> = {
  events: 'Events: every request',
  hour: 'Hours',
  day: 'Days',
  month: 'Month',
  spend: 'Spending of limits',
  ledger: 'Ledger',
};

const nameOf = (place: string): string => PLACES[place] ?? place;
const unknown = <span className="quiet">not kept there</span>;

const PLACE_COLUMNS: Column<Place>[] = [
  { id: 'place', head: 'Written down in', cell: ({ place }) => nameOf(place) },
  {
    id: 'requests',
    head: 'Requests',
    isNumber: true,
    cell: ({ requests }) => (requests === null ? unknown : formatCount(Number(requests))),
  },
  { id: 'spend', head: 'Spent', isNumber: true, cell: ({ spend_usd: usd }) => (usd === null ? unknown : <Money amount={usd} />) },
  { id: 'billed', head: 'Billed', isNumber: true, cell: ({ billed_usd: usd }) => (usd === null ? unknown : <Money amount={usd} />) },
];

const PLACE_CSV: readonly CsvColumn<Place>[] = [
  ['place', ({ place }) => place],
  ['requests', ({ requests }) => requests],
  ['spend_usd', ({ spend_usd: usd }) => usd],
  ['billed_usd', ({ billed_usd: usd }) => usd],
];

const WHATS: Readonly<Record<string, string>> = { attempts: 'attempts', requests: 'requests', spend_usd: 'spent', billed_usd: 'billed' };

const DIFFERENCE_COLUMNS: Column<Difference>[] = [
  {
    id: 'between',
    head: 'Between',
    cell: ({ between }) => (Array.isArray(between) ? between.map((place) => nameOf(String(place))).join(' and ') : String(between)),
  },
  { id: 'what', head: 'What', cell: ({ what }) => WHATS[what] ?? what },
  { id: 'by', head: 'By', isNumber: true, cell: ({ what, by }) => (what.endsWith('_usd') ? <Money amount={by} /> : by) },
];

function Places({ report, nowMs }: { readonly report: Reconciliation; readonly nowMs: number }) {
  const verdict = judgeMonth(report, nowMs);
  return (
    <>
      <div className="panel-body money-verdict spread">
        <div>
          <Badge kind={verdict.kind}>{verdict.title}</Badge> <span>{verdict.text}</span>
        </div>
        <ListExport name={`reconciliation ${report.month}`} columns={PLACE_CSV} rows={report.places} />
      </div>
      <Table
        label="The month in each place"
        columns={PLACE_COLUMNS}
        rows={report.places}
        rowKey={({ place }) => place}
        empty={<EmptyState title="Nothing was used" />}
      />
      {report.differences.length > 0 && (
        <Table
          label="Differences"
          columns={DIFFERENCE_COLUMNS}
          rows={report.differences}
          rowKey={({ between, what }) => `${JSON.stringify(between)}${what}`}
        />
      )}
      <p className="panel-body quiet">
        Unexplained: <Money amount={report.unexplained_usd} />. As of <Time at={report.as_of} form="second" />.
      </p>
    </>
  );
}
