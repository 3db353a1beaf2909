import { useMemo } from 'react';
import { Chart, type ChartSeries } from '../../design/figures/chart';
import { approximateUsd } from '../../format/money';
import { formatShortCount } from '../../format/numbers';
import { describeDimension } from './dimensions';
import { listValues, type Row, type Usage } from './fold-usage';
import { MeasureValue } from './measure-value';
import { listPeriods, PERIOD_FORMATS } from './overview-range';
import { addFilter, type Measure } from './overview-search';
import { useNames } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

/** More colours cannot be kept apart. */
const SERIES_MAX = 6;

const AXIS_USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact', maximumSignificantDigits: 3 });
const FORMATS: Readonly<Record<'money' | 'count', (value: number) => string>> = {
  money: (value) => AXIS_USD.format(value),
  count: formatShortCount,
};

type BreakdownChartProps = { readonly view: View; readonly usage: Usage; readonly rows: readonly Row[] };

export function BreakdownChart({ view, usage, rows }: BreakdownChartProps) {
  const { cut, measure, ranges } = view;
  const top = rows.slice(0, SERIES_MAX);
  const nameOf = useNames(
    cut,
    top.map(({ value }) => value),
  );
  const names = top.map(({ value }) => nameOf(value)).join('\n');
  const moments = useMemo(() => listPeriods(ranges.now, ranges.resolution), [ranges]);
  const series = useMemo(
    () => listSeries({ usage, moments, measure, cut, rows, names: names.split('\n') }),
    [usage, moments, measure, cut, rows, names],
  );
  return (
    <Chart
      label={`${FIGURE_NAMES[measure]} by ${describeDimension(cut).toLowerCase()}`}
      moments={moments}
      series={series}
      onChoose={(value) => view.change(addFilter(view.search, { dimension: cut, value }))}
      formatValue={measure === 'spend' ? FORMATS.money : FORMATS.count}
      formatMoment={PERIOD_FORMATS[ranges.resolution]}
    />
  );
}

type SeriesParts = {
  readonly usage: Usage;
  readonly moments: readonly Date[];
  readonly measure: Measure;
  readonly cut: string;
  readonly rows: readonly Row[];
  readonly names: readonly string[];
};

function listSeries({ usage, moments, measure, cut, rows, names }: SeriesParts): ChartSeries[] {
  const top = rows.slice(0, SERIES_MAX).map(({ value }, index) => ({
    id: value,
    label: names[index] ?? value,
    values: listValues(usage, moments, { measure, dimension: cut, value }),
  }));
  const all = listValues(usage, moments, { measure });
  // What is left of the whole, so that the heights are the sums.
  const rest = all.map((sum, index) => top.reduce((left, { values }) => left - (values[index] ?? 0n), sum));
  const shown = rows.length > SERIES_MAX ? [...top, { id: 'rest', label: describeRest(rows.length - SERIES_MAX), values: rest }] : top;
  return shown.map(({ id, label, values }) => ({
    id,
    label,
    values: values.map((value) => (measure === 'spend' ? approximateUsd(value) : Number(value))),
    exact: (index) => <MeasureValue measure={measure} value={values[index] ?? 0n} />,
  }));
}

function describeRest(count: number): string {
  return count === 1 ? '1 other' : `${count} others`;
}
