import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { EmptyState, Loaded, LoadingState, Segments, Select, TextField } from '../../design';
import { BreakdownTable } from './breakdown-table';
import { CHOSEN_DIMENSIONS, describeDimension, DIMENSIONS, isDimension } from './dimensions';
import { listTimingRows, type Performance } from './fold-performance';
import { listRows, type Usage } from './fold-usage';
import { allowsHours } from './overview-range';
import type { Resolution } from './overview-search';
import { RequestsLink } from './requests-link';
import { TimingTable } from './timing-table';
import { FIGURE_NAMES, type View } from './view';

// The library that draws is half of this page: the figures need not wait for it.
const BreakdownChart = lazy(async () => ({ default: (await import('./breakdown-chart')).BreakdownChart }));
const TimingChart = lazy(async () => ({ default: (await import('./timing-chart')).TimingChart }));

type BreakdownPanelProps = {
  readonly view: View;
  readonly usage: UseQueryResult<Usage>;
  readonly performance: UseQueryResult<Performance>;
};

/** The chosen figure over the range, cut by one dimension: drawn, and as rows that add up to it. */
export function BreakdownPanel({ view, usage, performance }: BreakdownPanelProps) {
  const { cut, measure, timing, search, ranges, change } = view;
  const resolutions: readonly { value: Resolution; label: string }[] = [
    ...(allowsHours(ranges) ? [{ value: 'hour', label: 'Hours' } as const] : []),
    { value: 'day', label: 'Days' },
    { value: 'month', label: 'Months' },
  ];
  return (
    <section className="panel" aria-labelledby="breakdown">
      <div className="panel-body spread">
        <h2 id="breakdown">
          {FIGURE_NAMES[timing ?? measure]} by {describeDimension(cut).toLowerCase()}
        </h2>
        <div className="row">
          <RequestsLink view={view} />
          <CutPicker key={cut} view={view} />
          <Segments label="Periods" value={ranges.resolution} options={resolutions} onChange={(by) => change({ ...search, by })} />
        </div>
      </div>
      {timing === undefined ? <UsageBreakdown view={view} usage={usage} /> : <TimingBreakdown view={view} performance={performance} />}
    </section>
  );
}

function UsageBreakdown({ view, usage }: Pick<BreakdownPanelProps, 'view' | 'usage'>) {
  const { cut, measure } = view;
  return (
    <Loaded query={usage} loading={<LoadingState lines={9} />}>
      {(data) => {
        const rows = listRows(data, cut, measure);
        if (rows.length === 0) return <NothingUsed view={view} />;
        return (
          <>
            <div className="panel-body">
              <Suspense fallback={<LoadingState lines={9} />}>
                <BreakdownChart view={view} usage={data} rows={rows} />
              </Suspense>
            </div>
            <BreakdownTable view={view} rows={rows} />
          </>
        );
      }}
    </Loaded>
  );
}

function TimingBreakdown({ view, performance }: Pick<BreakdownPanelProps, 'view' | 'performance'>) {
  const { cut, timing = 'errors' } = view;
  return (
    <Loaded query={performance} loading={<LoadingState lines={9} />}>
      {(data) => {
        const rows = listTimingRows(data, cut, timing);
        if (rows.length === 0) return <NothingUsed view={view} />;
        return (
          <>
            <div className="panel-body">
              <Suspense fallback={<LoadingState lines={9} />}>
                <TimingChart view={view} timing={timing} performance={data} rows={rows} />
              </Suspense>
            </div>
            <TimingTable view={view} timing={timing} rows={rows} />
          </>
        );
      }}
    </Loaded>
  );
}

function NothingUsed({ view: { filters } }: { readonly view: View }) {
  const text =
    filters.length > 0
      ? 'Take away a filter, or choose a longer range.'
      : 'Send a request with any key of this organization, and it is counted here a moment later.';
  return <EmptyState title="No usage in this range" text={text} />;
}

const OPTIONS = [...DIMENSIONS, ...CHOSEN_DIMENSIONS].map((value) => ({ value, label: describeDimension(value) }));

/** Labels and free fields have names of their own, which are asked for. */
function CutPicker({ view: { cut, search, change } }: { readonly view: View }) {
  const [known = '', ...rest] = cut.split('.');
  const [kind, setKind] = useState(known);
  const [name, setName] = useState(rest.join('.'));
  const needsName = CHOSEN_DIMENSIONS.includes(kind);
  const choose = (dimension: string): void => {
    if (isDimension(dimension) && dimension !== cut) change({ ...search, cut: dimension });
  };
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        choose(`${kind}.${name}`);
      }}
    >
      <Select
        label="Cut by"
        isLabelHidden
        value={kind}
        options={OPTIONS}
        onChange={(next) => {
          setKind(next);
          choose(next);
        }}
      />
      {needsName && (
        <TextField
          label={`Name of the ${describeDimension(kind).toLowerCase()}`}
          isLabelHidden
          placeholder="name, then Enter"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onBlur={() => choose(`${kind}.${name}`)}
        />
      )}
    </form>
  );
}
