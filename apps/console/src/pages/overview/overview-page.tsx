import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ErrorState, PageHead } from '../../design';
import { BreakdownPanel } from './breakdown-panel';
import { BudgetsPanel } from './budgets-panel';
import { Completeness } from './completeness';
import { FigureTiles } from './figure-tiles';
import { FilterBar } from './filter-bar';
import './overview.css';
import { findRanges } from './overview-range';
import { readFilters, type OverviewSearch } from './overview-search';
import { RangePicker } from './range-picker';
import { TopPanel } from './top-panel';
import { useNow, useUsage } from './usage-queries';
import type { View } from './view';

const route = getRouteApi('/shell/');
const HOUR_MS = 3_600_000;
const TOPS = ['model_used', 'api_key_id', 'group_id', 'user_id'];

export function OverviewPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const ranges = useMemo(() => findRanges(search, new Date(hour * HOUR_MS)), [search, hour]);
  const filters = useMemo(() => readFilters(search), [search]);
  const change = (next: OverviewSearch): void => void navigate({ search: next, resetScroll: false });
  const view: View = { search, ranges, filters, measure: search.measure ?? 'spend', cut: search.cut ?? 'model_used', change };
  const usage = useUsage({ range: ranges.now, resolution: ranges.resolution, dimension: view.cut, filters });

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
      <FigureTiles view={view} usage={usage} />
      <BreakdownPanel view={view} usage={usage} />
      <div className="overview-tops">
        {TOPS.map((dimension) => (
          <TopPanel key={dimension} view={view} dimension={dimension} />
        ))}
      </div>
      <BudgetsPanel now={now} />
    </>
  );
}
