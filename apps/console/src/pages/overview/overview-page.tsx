import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ErrorState, PageHead } from '../../design';
import { BreakdownPanel } from './breakdown-panel';
import { BudgetsPanel } from './budgets-panel';
import { Completeness } from './completeness';
import { FigureTiles } from './figure-tiles';
import { FilterBar } from './filter-bar';
import { OwnKeyPanel } from './own-key-panel';
import './overview.css';
import { findRanges } from './overview-range';
import { findMeasure, findTiming, readFilters, type OverviewSearch } from './overview-search';
import { RangePicker } from './range-picker';
import { TimingTiles } from './timing-tiles';
import { TopPanel } from './top-panel';
import { useNow, usePerformance, useSeesOwnAlone, useUsage } from './usage-queries';
import type { View } from './view';

const route = getRouteApi('/shell/');
const HOUR_MS = 3_600_000;
const TOPS = ['model_used', 'api_key_id', 'group_id', 'user_id'];
/** All of it is of one key. */
const OWN_TOPS = ['model_used', 'user_id'];

/** What the address says, at this hour. Errors and times are the organization's: a key without its permission sees sums alone. */
function useView(now: Date, seesOwnAlone: boolean): View {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const ranges = useMemo(() => findRanges(search, new Date(hour * HOUR_MS)), [search, hour]);
  const filters = useMemo(() => readFilters(search), [search]);
  const figure = search.measure ?? 'spend';
  return {
    ...{ search, ranges, filters, cut: search.cut ?? 'model_used' },
    measure: findMeasure(figure) ?? 'spend',
    timing: seesOwnAlone ? undefined : findTiming(figure),
    change: (next: OverviewSearch): void => void navigate({ search: next, resetScroll: false }),
  };
}

export function OverviewPage() {
  const now = useNow();
  const seesOwnAlone = useSeesOwnAlone();
  const view = useView(now, seesOwnAlone);
  const { ranges, filters } = view;
  const usage = useUsage({ range: ranges.now, resolution: ranges.resolution, dimension: view.cut, filters });
  const performance = usePerformance({ range: ranges.now, resolution: ranges.resolution, dimension: view.cut, filters });

  // Where the caller may see no usage at all, or none of such a range, each panel would say the same.
  if (usage.data === undefined && usage.error !== null) {
    return (
      <>
        <PageHead title="Overview" />
        <div className="overview-controls">
          <RangePicker view={view} />
          <FilterBar view={view} />
        </div>
        <div className="panel">
          <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead title="Overview" about={<Completeness asOf={usage.data?.as_of} warnings={usage.data?.warnings} />} />
      <div className="overview-controls">
        <RangePicker view={view} />
        <FilterBar view={view} />
      </div>
      {seesOwnAlone && <OwnKeyPanel />}
      <FigureTiles view={view} usage={usage} />
      {!seesOwnAlone && <TimingTiles view={view} performance={performance} />}
      <BreakdownPanel view={view} usage={usage} performance={performance} />
      <div className="overview-tops">
        {(seesOwnAlone ? OWN_TOPS : TOPS).map((dimension) => (
          <TopPanel key={dimension} view={view} dimension={dimension} />
        ))}
      </div>
      {!seesOwnAlone && <BudgetsPanel now={now} />}
    </>
  );
}
