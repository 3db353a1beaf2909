import { Link } from '@tanstack/react-router';
import { Bar, Loaded, LoadingState } from '../../design';
import { findShare, formatShare } from '../../format/numbers';
import { describeDimension } from './dimensions';
import { listRows, sumUsage, type Row } from './fold-usage';
import { MeasureValue } from './measure-value';
import { addFilter } from './overview-search';
import { useNames, useUsage } from './usage-queries';
import { FIGURE_NAMES, type View } from './view';

const ROWS_MAX = 5;

type TopPanelProps = { readonly view: View; readonly dimension: string };

/** The values with most of the chosen figure, each with its share. */
export function TopPanel({ view, dimension }: TopPanelProps) {
  const { ranges, filters, measure, search } = view;
  const usage = useUsage({ range: ranges.now, resolution: 'month', dimension, filters });
  const title = `${describeDimension(dimension)}s`;
  return (
    <section className="panel" aria-label={`Top ${title.toLowerCase()}`}>
      <div className="panel-body spread">
        <h2>Top {title.toLowerCase()}</h2>
        <Link to="/" search={{ ...search, cut: dimension }} resetScroll={false} aria-label={`All ${title.toLowerCase()}`}>
          All
        </Link>
      </div>
      <Loaded query={usage} loading={<LoadingState lines={5} />}>
        {(data) => {
          const rows = listRows(data, dimension, measure).filter(({ sums }) => sums[measure] > 0n);
          if (rows.length === 0) return <p className="panel-body quiet">No {FIGURE_NAMES[measure].toLowerCase()} in this range.</p>;
          return <TopRows view={view} dimension={dimension} rows={rows.slice(0, ROWS_MAX)} whole={sumUsage(data)[measure]} />;
        }}
      </Loaded>
    </section>
  );
}

type TopRowsProps = TopPanelProps & { readonly rows: readonly Row[]; readonly whole: bigint };

function TopRows({ view: { search, measure }, dimension, rows, whole }: TopRowsProps) {
  const nameOf = useNames(
    dimension,
    rows.map(({ value }) => value),
  );
  return (
    <ol className="overview-top">
      {rows.map(({ value, sums }) => {
        const share = findShare(sums[measure], whole);
        const name = nameOf(value);
        return (
          <li key={value}>
            <div className="spread overview-top-line">
              <Link to="/" search={addFilter(search, { dimension, value })} resetScroll={false} className="overview-top-name">
                {name}
              </Link>
              <span className="number">
                <MeasureValue measure={measure} value={sums[measure]} /> <span className="quiet">{formatShare(share)}</span>
              </span>
            </div>
            <Bar label={`${name}: ${formatShare(share)}`} share={share} />
          </li>
        );
      })}
    </ol>
  );
}
