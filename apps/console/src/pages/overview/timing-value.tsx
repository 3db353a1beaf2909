import { Exact } from '../../design';
import { formatCount, formatMilliseconds, formatShortCount } from '../../format/numbers';
import type { Timing } from './overview-search';

type TimingValueProps = { readonly timing: Timing; readonly value: number | null };

/** A count of errors, or a time; a dash where no request has one. */
export function TimingValue({ timing, value }: TimingValueProps) {
  if (timing !== 'errors') return <TimeValue milliseconds={value} />;
  return <Exact shown={formatShortCount(value ?? 0)} exact={formatCount(value ?? 0)} />;
}

export function TimeValue({ milliseconds }: { readonly milliseconds: number | null }) {
  if (milliseconds === null) return <span className="quiet">–</span>;
  return <Exact shown={formatMilliseconds(milliseconds)} exact={`${formatCount(milliseconds)} ms`} />;
}
