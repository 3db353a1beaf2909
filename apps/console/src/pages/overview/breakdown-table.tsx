import { ListExport, Table, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { writeMoney } from '../../format/money';
import { findShare, formatShare } from '../../format/numbers';
import { describeDimension } from './dimensions';
import type { Row } from './fold-usage';
import { MeasureValue } from './measure-value';
import { NAVIGATION } from '../../shell/navigation';
import { addFilter, MEASURES, type Measure } from './overview-search';
import { RequestsLink } from './requests-link';
import { findRequestsSearch } from './requests-search';
import { useNames } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

/** So many names are asked for; beyond, keys are shown by their id. */
const NAMED_MAX = 20;
const NAME_WIDTH = 320;
const NUMBER_WIDTH = 150;

type BreakdownTableProps = { readonly view: View; readonly rows: readonly Row[] };

/** Every value of the dimension. A name leads to the same page with a filter for it. */
export function BreakdownTable({ view, rows }: BreakdownTableProps) {
  const { cut, measure, search } = view;
  const nameOf = useNames(
    cut,
    rows.slice(0, NAMED_MAX).map(({ value }) => value),
  );
  const whole = rows.reduce((sum, row) => sum + row.sums[measure], 0n);
  const columns: Column<Row>[] = [
    { id: 'value', head: describeDimension(cut), cell: ({ value }) => nameOf(value), width: NAME_WIDTH },
    ...MEASURES.map((name) => describeColumn(name)),
    {
      id: 'share',
      head: `Share of ${FIGURE_NAMES[measure].toLowerCase()}`,
      cell: ({ sums }) => formatShare(findShare(sums[measure], whole)),
      isNumber: true,
      width: NUMBER_WIDTH,
    },
    ...(isListed(view) ? [describeRequests(view, nameOf)] : []),
  ];
  return (
    <>
      <Table
        label={`By ${describeDimension(cut).toLowerCase()}`}
        columns={columns}
        rows={rows}
        rowKey={({ value }) => value}
        rowLink={({ value }) => ({ to: '/', search: addFilter(search, { dimension: cut, value }) })}
        maxHeight="480px"
      />
      <div className="panel-body">
        <ListExport name={`usage-by-${cut}`} columns={listExportColumns(cut, nameOf)} rows={rows} />
      </div>
    </>
  );
}

/** Every digit of every figure. */
function listExportColumns(cut: string, nameOf: (value: string) => string): CsvColumn<Row>[] {
  return [
    [cut, ({ value }) => value],
    ['name', ({ value }) => nameOf(value)],
    ['spend_usd', ({ sums }) => writeMoney(sums.spend)],
    ['requests', ({ sums }) => String(sums.total_requests)],
    ['input_tokens', ({ sums }) => String(sums.input_tokens)],
    ['output_tokens', ({ sums }) => String(sums.output_tokens)],
    ['cached_tokens', ({ sums }) => String(sums.cached_tokens)],
    ['reasoning_tokens', ({ sums }) => String(sums.reasoning_tokens)],
  ];
}

function describeColumn(measure: Measure): Column<Row> {
  return {
    id: measure,
    head: FIGURE_NAMES[measure],
    cell: ({ sums }) => <MeasureValue measure={measure} value={sums[measure]} />,
    isNumber: true,
    width: NUMBER_WIDTH,
  };
}

function isListed({ cut, ranges, filters }: View): boolean {
  const isBuilt = NAVIGATION.some(({ to }) => to === '/requests');
  return isBuilt && findRequestsSearch(ranges.now, [...filters, { dimension: cut, value: 'any' }]) !== undefined;
}

function describeRequests(view: View, nameOf: (value: string) => string): Column<Row> {
  return {
    id: 'single',
    head: <span className="visually-hidden">Single requests</span>,
    cell: ({ value }) => <RequestsLink view={view} filter={{ dimension: view.cut, value }} name={nameOf(value)} />,
    width: 56,
  };
}
