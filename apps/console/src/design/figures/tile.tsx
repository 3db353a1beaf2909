import type { ReactNode } from 'react';
import { formatShare } from '../../format/numbers';
import './figures.css';

type TileProps = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** The same figure in the range before. */
  readonly before?: ReactNode;
  /** Part of the figure before: 0.1 is 10 % more. Null where there was nothing before. */
  readonly change?: number | null;
};

/** One figure with what it was before. Whether more is good depends on the figure, so the change has no colour. */
export function Tile({ label, value, before, change }: TileProps) {
  return (
    <div className="tile">
      <span className="tile-label">{label}</span>
      <span className="tile-value">{value}</span>
      {before !== undefined && (
        <span className="tile-before">
          {change !== undefined && change !== null && <span className="tile-change">{describeChange(change)}</span>}
          <span>before: {before}</span>
        </span>
      )}
    </div>
  );
}

function describeChange(change: number): string {
  if (change === 0) return '±0%';
  return `${change > 0 ? '▲' : '▼'} ${formatShare(Math.abs(change))}`;
}
