import './figures.css';

type BarProps = {
  /** What is measured, with its figures: "Spent: $4.20 of $50.00". */
  readonly label: string;
  /** Part of the whole; above 1 is full. */
  readonly share: number;
  /** Where it is expected to end, as part of the whole. */
  readonly expected?: number | undefined;
  readonly kind?: 'normal' | 'warn' | 'bad';
};

const toWidth = (share: number): string => `${Math.max(0, Math.min(1, share)) * 100}%`;

export function Bar({ label, share, expected, kind = 'normal' }: BarProps) {
  return (
    <div
      className={kind === 'normal' ? 'bar' : `bar bar-${kind}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(Math.min(1, share) * 100)}
      aria-valuetext={label}
    >
      {expected !== undefined && <div className="bar-expected" style={{ width: toWidth(expected) }} />}
      <div className="bar-part" style={{ width: toWidth(share) }} />
    </div>
  );
}
