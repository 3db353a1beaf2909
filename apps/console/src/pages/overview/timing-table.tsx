import { ListExport, Table, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount, formatShare } from '../../format/numbers';
import { describeDimension } from './dimensions';
import { readTiming, type TimingRow } from './fold-performance';
import { addFilter, TIMINGS, type Timing } from './overview-search';
import { FigureLink } from './requests-link';
import { findMaking } from './timing-tiles';
import { TimeValue, TimingValue } from './timing-value';
import { useNames } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

const NAMED_MAX = 20;
const NAME_WIDTH = 300;
const NUMBER_WIDTH = 130;

type TimingTableProps = { readonly view: View; readonly timing: Timing; readonly rows: readonly TimingRow[] };

/** Errors and times of every value of the dimension. A name leads to the same page with a filter for it. */
export function TimingTable({ view, rows }: TimingTableProps) {
  const { cut, search } = view;
  const nameOf = useNames(
    cut,
    rows.slice(0, NAMED_MAX).map(({ value }) => value),
  );
  const columns: Column<TimingRow>[] = [
    { id: 'value', head: describeDimension(cut), cell: ({ value }) => nameOf(value), width: NAME_WIDTH },
    describeNumber('requests', 'Requests', ({ entry }) => formatCount(entry.requests)),
    ...TIMINGS.map((timing) => describeNumber(timing, FIGURE_NAMES[timing], (row) => <Figure view={view} timing={timing} row={row} />)),
    describeNumber('first_p95', 'First byte, p95', ({ entry }) => <TimeValue milliseconds={entry.first_byte_milliseconds.p95} />),
    describeNumber('error_share', 'Error share', ({ entry }) => (entry.error_share === null ? '–' : formatShare(entry.error_share))),
    describeNumber('attempt_errors', 'Failed attempts', ({ entry }) => formatCount(entry.attempt_errors)),
  ];
  return (
    <>
      <Table
        label={`Errors and times by ${describeDimension(cut).toLowerCase()}`}
        columns={columns}
        rows={rows}
        rowKey={({ value }) => value}
        rowLink={({ value }) => ({ to: '/', search: addFilter(search, { dimension: cut, value }) })}
        maxHeight="480px"
      />
      <div className="panel-body">
        <ListExport name="errors-and-times" columns={listExportColumns(cut, nameOf)} rows={rows} />
      </div>
    </>
  );
}

function describeNumber(id: string, head: string, cell: Column<TimingRow>['cell']): Column<TimingRow> {
  return { id, head, cell, isNumber: true, width: NUMBER_WIDTH };
}

function Figure({ view, timing, row: { value, entry } }: { readonly view: View; readonly timing: Timing; readonly row: TimingRow }) {
  const figure = readTiming(entry, timing);
  const made = findMaking(timing, figure);
  const shown = <TimingValue timing={timing} value={figure} />;
  if (made === undefined) return shown;
  return (
    <FigureLink view={view} filter={{ dimension: view.cut, value }} only={made.only} label={made.label}>
      {shown}
    </FigureLink>
  );
}

function listExportColumns(cut: string, nameOf: (value: string) => string): CsvColumn<TimingRow>[] {
  return [
    [cut, ({ value }) => value],
    ['name', ({ value }) => nameOf(value)],
    ['requests', ({ entry }) => entry.requests],
    ['errors', ({ entry }) => entry.errors],
    ['error_share', ({ entry }) => entry.error_share],
    ['attempts', ({ entry }) => entry.attempts],
    ['attempt_errors', ({ entry }) => entry.attempt_errors],
    ['mean_milliseconds', ({ entry }) => entry.milliseconds.mean],
    ['p50_milliseconds', ({ entry }) => entry.milliseconds.p50],
    ['p95_milliseconds', ({ entry }) => entry.milliseconds.p95],
    ['first_byte_p50_milliseconds', ({ entry }) => entry.first_byte_milliseconds.p50],
    ['first_byte_p95_milliseconds', ({ entry }) => entry.first_byte_milliseconds.p95],
  ];
}
