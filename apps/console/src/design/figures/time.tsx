import { formatTime, formatUtc, type TimeForm } from '../../format/times';
import './figures.css';

type TimeProps = {
  readonly at: string | Date;
  readonly form?: TimeForm;
};

/** In the reader's zone; UTC on hover and on focus. */
export function Time({ at, form = 'moment' }: TimeProps) {
  const moment = typeof at === 'string' ? new Date(at) : at;
  return (
    <time className="number exact" dateTime={moment.toISOString()} data-tip={formatUtc(moment)} tabIndex={0}>
      {formatTime(moment, form)}
    </time>
  );
}
