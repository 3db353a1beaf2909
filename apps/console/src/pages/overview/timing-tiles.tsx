import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded, LoadingState, Notice, Tile } from '../../design';
import { formatCount, formatMilliseconds, formatShare } from '../../format/numbers';
import { ChooseFigure, isChosen } from './figure-tiles';
import { findTimeChange, readTiming, type Performance, type TimingEntry } from './fold-performance';
import { TIMINGS, type Timing } from './overview-search';
import { FigureLink } from './requests-link';
import { asSlowAs, ERRORS_ONLY, type Narrowing } from './requests-search';
import { TimingValue } from './timing-value';
import { usePerformance } from './usage-queries';
import type { View } from './view';

type TimingTilesProps = { readonly view: View; readonly performance: UseQueryResult<Performance> };

/** How many requests failed and how long they took, against the range before. Each figure leads to its requests. */
export function TimingTiles({ view, performance }: TimingTilesProps) {
  const { ranges, filters } = view;
  const before = usePerformance({ range: ranges.before, resolution: 'month', filters });
  return (
    <div className="panel" role="group" aria-label="Errors and times of the range, against the range before">
      <Loaded query={performance} loading={<LoadingState lines={3} />}>
        {(data) => (
          <>
            <div className="overview-tiles">
              {TIMINGS.map((timing) => (
                <TimingTile key={timing} view={view} timing={timing} now={data.total} before={before.data?.total} />
              ))}
            </div>
            <SampleNotice performance={data} />
          </>
        )}
      </Loaded>
    </div>
  );
}

type TimingTileProps = {
  readonly view: View;
  readonly timing: Timing;
  readonly now: TimingEntry;
  readonly before: TimingEntry | undefined;
};

function TimingTile({ view, timing, now, before }: TimingTileProps) {
  const value = readTiming(now, timing);
  const former = before === undefined ? null : readTiming(before, timing);
  const shown = (
    <>
      <TimingValue timing={timing} value={value} />
      <Aside timing={timing} entry={now} />
    </>
  );
  const made = findMaking(timing, value);
  return (
    <div className={isChosen(view, timing) ? 'overview-tile overview-tile-chosen' : 'overview-tile'}>
      <Tile
        label={<ChooseFigure view={view} figure={timing} />}
        value={
          made === undefined ? (
            shown
          ) : (
            <FigureLink view={view} only={made.only} label={made.label}>
              {shown}
            </FigureLink>
          )
        }
        before={before === undefined ? '…' : <TimingValue timing={timing} value={former} />}
        change={before === undefined ? null : findTimeChange(value, former)}
      />
    </div>
  );
}

/** Which requests a figure is made of, in words; undefined where there are none. */
export function findMaking(timing: Timing, value: number | null): { readonly only: Narrowing; readonly label: string } | undefined {
  if (value === null || value === 0) return undefined;
  if (timing === 'errors') return { only: ERRORS_ONLY, label: 'the requests that failed' };
  if (timing === 'first_byte') return { only: {}, label: 'the requests of the range' };
  return { only: asSlowAs(value), label: `requests of ${formatMilliseconds(value)} or more` };
}

/** What belongs to the figure and is no tile of its own. */
function Aside({ timing, entry }: { readonly timing: Timing; readonly entry: TimingEntry }): ReactNode {
  const { error_share: share, first_byte_milliseconds: firstByte } = entry;
  if (timing === 'errors' && share !== null) return <span className="quiet overview-aside"> {formatShare(share)}</span>;
  if (timing === 'first_byte' && firstByte.p95 !== null) {
    return <span className="quiet overview-aside"> p95 {formatMilliseconds(firstByte.p95)}</span>;
  }
  return null;
}

/** Percentiles of a sample are near, not exact: that is said where they are shown. */
function SampleNotice({ performance: { is_sampled: isSampled, sample } }: { readonly performance: Performance }) {
  if (!isSampled) return null;
  return (
    <div className="panel-body">
      <Notice>
        Latency and first byte are of {formatCount(sample.requests)} of the {formatCount(sample.of)} requests: the others are too many to be
        looked at one by one, or no longer kept. Errors are of all of them. A shorter range is exact.
      </Notice>
    </div>
  );
}
