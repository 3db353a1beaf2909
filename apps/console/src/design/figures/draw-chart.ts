import uPlot from 'uplot';
import { stackSeries } from './stack-series';

export type DrawnSeries = { readonly label: string; readonly color: string; readonly values: readonly (number | null)[] };

export type Drawing = {
  readonly moments: readonly Date[];
  readonly series: readonly DrawnSeries[];
  readonly height: number;
  /** Bars that stand on each other for sums; lines for what does not add up. */
  readonly form: 'bars' | 'lines';
  readonly formatValue: (value: number) => string;
  readonly formatMoment: (moment: Date) => string;
  /** The period that is pointed at, or null. */
  readonly onPoint: (index: number | null) => void;
};

const BAR_WIDTH = 0.7;
const BAR_WIDTH_MAX = 48;
const LABEL_GAP = 70;

/** Draws into `target` with the colours of the theme that holds now; returns what ends it. */
export function drawChart(target: HTMLElement, drawing: Drawing): () => void {
  const { moments, height } = drawing;
  const chart = new uPlot(
    {
      width: Math.max(200, target.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: drawing.form === 'lines' } },
      // Periods are places in a row, not moments: months and days with a change of the clock are as wide as others.
      scales: {
        x: { time: false, range: () => [-0.5, moments.length - 0.5] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
      },
      axes: describeAxes(drawing),
      series: [{}, ...describeSeries(drawing)],
      hooks: { setCursor: [({ cursor }) => drawing.onPoint(cursor.idx ?? null)] },
    },
    toData(drawing),
    target,
  );
  const observer = new ResizeObserver(() => chart.setSize({ width: Math.max(200, target.clientWidth), height }));
  observer.observe(target);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

function toData({ moments, series, form }: Drawing): uPlot.AlignedData {
  const places = moments.map((_, index) => index);
  if (form === 'lines') return [places, ...series.map(({ values }) => [...values])];
  return [places, ...stackSeries(series.map(({ values }) => values.map((value) => value ?? 0))).reverse()];
}

function describeSeries({ series, form }: Drawing): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [BAR_WIDTH, BAR_WIDTH_MAX] });
  const described = series.map(({ label, color }): uPlot.Series => {
    const common = { label, stroke: readColor(color) };
    // A period between two gaps is no line: its point is drawn.
    if (form === 'lines') return { ...common, width: 2, points: { size: 5, fill: readColor(color) } };
    return { ...common, points: { show: false }, width: 0, fill: readColor(color), ...(bars ? { paths: bars } : {}) };
  });
  return form === 'bars' ? described.reverse() : described;
}

function describeAxes({ moments, formatMoment, formatValue }: Drawing): uPlot.Axis[] {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const common = { stroke: readColor('--ink-quiet'), font };
  const line = { stroke: readColor('--line'), width: 1 };
  return [
    {
      ...common,
      size: 28,
      space: LABEL_GAP,
      incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 96, 168],
      grid: { show: false },
      ticks: { show: false },
      values: (_, places) => places.map((place) => describeMoment(moments[place], formatMoment)),
    },
    { ...common, size: 64, grid: line, ticks: { show: false }, values: (_, values) => values.map(formatValue) },
  ];
}

function describeMoment(moment: Date | undefined, format: (moment: Date) => string): string {
  return moment === undefined ? '' : format(moment);
}

function readColor(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}
