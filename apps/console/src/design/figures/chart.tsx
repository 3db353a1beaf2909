import { useEffect, useRef, useState, type ReactNode } from 'react';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../shell/theme';
import { Table, type Column } from '../table/table';
import { drawChart } from './draw-chart';
import './figures.css';

export type ChartSeries = {
  readonly id: string;
  readonly label: string;
  /** For drawing: a float will do. Null is a gap in a line, and nothing of a bar. */
  readonly values: readonly (number | null)[];
  /** For reading: exact, by place. */
  readonly exact: (index: number) => ReactNode;
};

type ChartProps = {
  readonly label: string;
  readonly moments: readonly Date[];
  /** At most six, and one more for the rest, which has the id `rest`. */
  readonly series: readonly ChartSeries[];
  readonly form?: 'bars' | 'lines';
  readonly height?: number;
  readonly formatValue: (value: number) => string;
  readonly formatMoment: (moment: Date) => string;
  /** A series was chosen in the legend: by its id, never the rest. */
  readonly onChoose?: (id: string) => void;
};

const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

function colorOf(series: ChartSeries, index: number): string {
  return series.id === 'rest' ? '--series-rest' : (COLORS[index % COLORS.length] ?? '--series-1');
}

/** A drawing, its legend with the figures of the period that is pointed at, and the same as a table. */
export function Chart({ label, moments, series, form = 'bars', height = 240, formatValue, formatMoment, onChoose }: ChartProps) {
  const target = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number | null>(null);
  const theme = useTheme();

  useEffect(() => {
    if (target.current === null) return undefined;
    const drawn = series.map((one, index) => ({ label: one.label, color: colorOf(one, index), values: one.values }));
    return drawChart(target.current, { moments, series: drawn, height, form, formatValue, formatMoment, onPoint: setPlace });
    // The theme is read from the document when it is drawn.
  }, [moments, series, height, form, formatValue, formatMoment, theme]);

  const pointed = place === null ? undefined : moments[place];
  return (
    <figure className="chart" aria-label={label}>
      <div className="chart-canvas" ref={target} aria-hidden="true" style={{ minHeight: height }} />
      <p className="chart-readout">{pointed === undefined ? ' ' : formatMoment(pointed)}</p>
      <Legend series={series} place={pointed === undefined ? null : place} onChoose={onChoose} />
      <details className="chart-table">
        <summary>Show as a table</summary>
        <ChartTable label={label} moments={moments} series={series} formatMoment={formatMoment} />
      </details>
    </figure>
  );
}

type LegendProps = {
  readonly series: readonly ChartSeries[];
  readonly place: number | null;
  readonly onChoose: ((id: string) => void) | undefined;
};

function Legend({ series, place, onChoose }: LegendProps) {
  return (
    <div className="chart-legend">
      {series.map((one, index) => {
        const content = (
          <>
            <span className="chart-swatch" style={{ background: `var(${colorOf(one, index)})` }} />
            <span className="chart-key-text">{one.label}</span>
            {place !== null && one.exact(place)}
          </>
        );
        return onChoose === undefined || one.id === 'rest' ? (
          <span key={one.id} className="chart-key">
            {content}
          </span>
        ) : (
          <button key={one.id} type="button" className="chart-key" onClick={() => onChoose(one.id)} data-tip={`Only ${one.label}`}>
            {content}
          </button>
        );
      })}
    </div>
  );
}

type Place = { readonly index: number; readonly moment: Date };

function ChartTable({ label, moments, series, formatMoment }: Pick<ChartProps, 'label' | 'moments' | 'series' | 'formatMoment'>) {
  const rows = moments.map((moment, index): Place => ({ moment, index }));
  const columns: Column<Place>[] = [
    { id: 'period', head: 'Period', cell: ({ moment }) => formatMoment(moment), width: 160 },
    ...series.map((one): Column<Place> => ({
      id: one.id,
      head: one.label,
      cell: ({ index }) => one.exact(index),
      isNumber: true,
      width: 160,
    })),
  ];
  return <Table label={label} columns={columns} rows={rows} rowKey={({ index }) => String(index)} maxHeight="320px" />;
}
