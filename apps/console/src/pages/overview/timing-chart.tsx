import { useMemo } from 'react';
import { Chart, type ChartSeries } from '../../design/figures/chart';
import { formatMilliseconds, formatShortCount } from '../../format/numbers';
import { describeDimension } from './dimensions';
import { listTimings, type Performance, type TimingRow } from './fold-performance';
import { listPeriods, PERIOD_FORMATS } from './overview-range';
import { addFilter, type Timing } from './overview-search';
import { TimingValue } from './timing-value';
import { useNames } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

/** One more is the line of all requests together. */
const SERIES_MAX = 5;

type TimingChartProps = {
  readonly view: View;
  readonly timing: Timing;
  readonly performance: Performance;
  readonly rows: readonly TimingRow[];
};

/** Errors as bars, which add up; times as lines, which do not. */
export function TimingChart({ view, timing, performance, rows }: TimingChartProps) {
  const { cut, ranges } = view;
  // Those with most requests: they are what the whole is made of.
  const top = useMemo(() => [...rows].sort((a, b) => b.entry.requests - a.entry.requests).slice(0, SERIES_MAX), [rows]);
  const nameOf = useNames(
    cut,
    top.map(({ value }) => value),
  );
  const names = top.map(({ value }) => nameOf(value)).join('\n');
  const moments = useMemo(() => listPeriods(ranges.now, ranges.resolution), [ranges]);
  const series = useMemo(
    () => listSeries({ performance, moments, timing, cut, values: top.map(({ value }) => value), names: names.split('\n') }),
    [performance, moments, timing, cut, top, names],
  );
  return (
    <Chart
      label={`${FIGURE_NAMES[timing]} by ${describeDimension(cut).toLowerCase()}`}
      form={timing === 'errors' ? 'bars' : 'lines'}
      moments={moments}
      series={series}
      onChoose={(value) => view.change(addFilter(view.search, { dimension: cut, value }))}
      formatValue={timing === 'errors' ? formatShortCount : formatMilliseconds}
      formatMoment={PERIOD_FORMATS[ranges.resolution]}
    />
  );
}

type SeriesParts = {
  readonly performance: Performance;
  readonly moments: readonly Date[];
  readonly timing: Timing;
  readonly cut: string;
  readonly values: readonly string[];
  readonly names: readonly string[];
};

function listSeries({ performance, moments, timing, cut, values, names }: SeriesParts): ChartSeries[] {
  const top = values.map((value, index) => ({
    id: value,
    label: names[index] ?? value,
    figures: listTimings(performance, moments, { timing, dimension: cut, value }),
  }));
  const all = listTimings(performance, moments, { timing });
  const isSum = timing === 'errors';
  // Of errors what is left, so that the heights are the sums; times of the rest are in no sum, so all together.
  const rest = isSum ? all.map((sum, index) => top.reduce((left, { figures }) => left - (figures[index] ?? 0), sum ?? 0)) : all;
  const hasRest = isSum ? rest.some((count) => count !== 0) : true;
  const shown = hasRest ? [...top, { id: 'rest', label: isSum ? 'Others' : 'All requests', figures: rest }] : top;
  return shown.map(({ id, label, figures }) => ({
    id,
    label,
    values: figures,
    exact: (index) => <TimingValue timing={timing} value={figures[index] ?? null} />,
  }));
}
