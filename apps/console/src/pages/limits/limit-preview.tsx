import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../api';
import { hasErrors } from '../../api/check-body';
import { Bar, Loaded, LoadingState, Time } from '../../design';
import { formatCount, formatShare } from '../../format/numbers';
import { useSettled } from '../rules/use-settled';
import { LimitFigure } from './limit-fill';
import { findLimitErrors, toLimitBody, type LimitBody, type LimitForm } from './limit-form';
import { gradeShare, isConcurrent, writePartition, type Names } from './limit-words';
import type { LimitPreview, Measure } from './limits-queries';

const DAYS = 7;
const EXAMPLES_SHOWN = 5;

/** What the limit would have done to the requests of the last days, as it is typed. */
export function LimitPreviewPart({ form, names }: { readonly form: LimitForm; readonly names: Names }) {
  const { name: _, ...errors } = findLimitErrors(form);
  return (
    <section className="limits-preview" aria-labelledby="limits-preview">
      <h3 id="limits-preview">What it would have done</h3>
      {hasErrors(errors) ? (
        <p className="quiet">Shown as soon as the limit is complete.</p>
      ) : (
        <Asked body={toLimitBody(form)} names={names} />
      )}
    </section>
  );
}

function Asked({ body: { name: _, ...typed }, names }: { readonly body: LimitBody; readonly names: Names }) {
  const limit = useSettled(typed);
  const preview = useQuery({
    queryKey: ['limits', 'preview', limit],
    queryFn: ({ signal }) => unwrap(api.POST('/v1/manage/limit/preview', { body: { ...limit, days: DAYS }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <Loaded query={preview} loading={<LoadingState lines={4} />}>
      {(data) => <PreviewParts preview={data} measure={limit.measure} names={names} />}
    </Loaded>
  );
}

type PartsProps = { readonly preview: LimitPreview; readonly measure: Measure; readonly names: Names };

function PreviewParts({ preview, measure, names }: PartsProps) {
  return (
    <div className="stack">
      <p role="status">{describePreview(preview)}</p>
      {preview.is_partial && <p className="quiet">There were more requests than are looked at: it ends before today.</p>}
      {preview.bound > 0 && <Days days={preview.days} />}
      {preview.fullest.length > 0 && <Fullest preview={preview} measure={measure} names={names} />}
      {preview.examples.length > 0 && <Examples preview={preview} measure={measure} names={names} />}
      <p className="quiet limits-small">
        {isConcurrent(measure)
          ? 'By when each request was admitted and ended.'
          : 'By what each request used. At admission the most it can use is held, so that a limit that is nearly full may refuse more.'}
      </p>
    </div>
  );
}

export function describePreview({ requests, bound, would_have_refused: refused, share }: LimitPreview): string {
  const days = `in the last ${DAYS} days`;
  if (requests === 0) return `There were no requests ${days}.`;
  if (bound === 0) return `It would have bound none of the ${formatCount(requests)} requests ${days}.`;
  if (refused === 0) return `It would have refused none of the ${formatCount(bound)} requests that it binds, ${days}.`;
  return `It would have refused ${formatCount(refused)} of the ${formatCount(bound)} requests that it binds, ${days} (${formatShare(share ?? 0)}).`;
}

function Days({ days }: { readonly days: LimitPreview['days'] }) {
  const most = Math.max(1, ...days.map(({ bound }) => bound));
  return (
    <ul className="limits-days" aria-label="By day">
      {days.map(({ date, bound, would_have_refused: refused }) => (
        <li key={date}>
          <span className="number">{date}</span>
          <span className="limits-day" aria-hidden="true">
            <span className="limits-day-bound" style={{ width: `${(bound / most) * 100}%` }} />
            <span className="limits-day-refused" style={{ width: `${(refused / most) * 100}%` }} />
          </span>
          <span className="number">
            {formatCount(refused)} of {formatCount(bound)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Fullest({ preview: { fullest }, measure, names }: PartsProps) {
  return (
    <div>
      <h4>The fullest</h4>
      <ul className="limits-list">
        {fullest.map(({ of, used, share, window_start: start }) => {
          const name = writePartition(of, names) ?? 'All of it';
          return (
            <li key={`${of?.id ?? ''} ${start ?? ''}`}>
              <span className="spread">
                <span>
                  {name}
                  {start !== null && (
                    <span className="quiet">
                      {' '}
                      from <Time at={start} />
                    </span>
                  )}
                </span>
                <LimitFigure measure={measure} amount={used} />
              </span>
              <Bar label={`${name}: ${formatShare(share)} full`} share={share} kind={gradeShare(share)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Examples({ preview: { examples }, measure, names }: PartsProps) {
  return (
    <div>
      <h4>The first that would have been refused</h4>
      <ul className="limits-list">
        {examples.slice(0, EXAMPLES_SHOWN).map(({ request_id: id, admitted_at: at, of, used, needed }) => (
          <li key={id}>
            <Link to="/requests/$id" params={{ id }}>
              <Time at={at} form="second" />
            </Link>
            <span className="quiet">
              {' '}
              {writePartition(of, names)} had used <LimitFigure measure={measure} amount={used} />, needed{' '}
              <LimitFigure measure={measure} amount={needed} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
