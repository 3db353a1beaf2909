import { Bar, Exact, Time } from '../../design';
import { findFullest, gradeShare, isConcurrent, writeFigure, writeMeasure, writePartition, type Names } from './limit-words';
import type { Limit, LimitFill as Fill, Measure } from './limits-queries';
import './limits.css';

/** An amount in the unit of its measure; exact on hover where it is shown shorter. */
export function LimitFigure({ measure, amount }: { readonly measure: Measure; readonly amount: string }) {
  return <Exact {...writeFigure(measure, amount)} />;
}

/** `$5.00 a day`. */
export function LimitAmount({ limit }: { readonly limit: Pick<Limit, 'measure' | 'window' | 'amount'> }) {
  return (
    <span>
      <LimitFigure measure={limit.measure} amount={limit.amount} /> <span className="quiet">{writeMeasure(limit)}</span>
    </span>
  );
}

type LimitFillProps = { readonly limit: Limit; readonly names: Names };

/** How full the fullest of a limit is, whose it is, and when that begins to free. */
export function LimitFill({ limit, names }: LimitFillProps) {
  const fullest = findFullest(limit);
  if (isConcurrent(limit.measure)) return <span className="quiet">what runs now is not counted here</span>;
  if (fullest === undefined) return <span className="quiet">nothing used yet</span>;
  const partition = writePartition(fullest.of, names);
  const used = writeFigure(limit.measure, fullest.used).exact;
  const of = writeFigure(limit.measure, limit.amount).exact;
  return (
    <div className="limits-fill">
      <span className="limits-fill-figures">
        <LimitFigure measure={limit.measure} amount={fullest.used} />
        <span className="quiet">
          of <LimitFigure measure={limit.measure} amount={limit.amount} />
          {partition !== undefined && <> · {partition}</>}
        </span>
      </span>
      <Bar label={`${limit.name}: ${used} of ${of} used`} share={fullest.share} kind={gradeShare(fullest.share)} />
      <FreesAt limit={limit} fullest={fullest} />
    </div>
  );
}

function FreesAt({ limit, fullest }: { readonly limit: Limit; readonly fullest: Fill }) {
  if (fullest.window_end === null) return null;
  const isRolling = limit.window === '24h' || limit.window === '30d';
  return (
    <span className="quiet limits-small">
      {isRolling ? 'begins to free ' : 'frees '}
      <Time at={fullest.window_end} />
    </span>
  );
}
