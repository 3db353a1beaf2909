import type { ReactNode } from 'react';
import { Badge, Money } from '../../design';
import { formatMilliseconds } from '../../format/numbers';
import { FailureNotice } from './failure-notice';
import { LateCost, RequestLink } from './reply-figures';
import { Notes } from './reply-view';
import type { Outcome } from './use-media-request';

type OutcomeProps<Data> = {
  readonly outcome: Outcome<Data> | undefined;
  /** What is being made: "The image". */
  readonly subject: string;
  readonly children: (data: Data) => ReactNode;
};

/** What came of a request, with what it took. */
export function OutcomeView<Data>({ outcome, subject, children }: OutcomeProps<Data>) {
  return (
    <section className="panel panel-body stack" aria-label="Result">
      <div role="status" className={outcome?.state === 'done' ? 'visually-hidden' : undefined}>
        <State outcome={outcome} subject={subject} />
      </div>
      {outcome?.failure !== undefined && <FailureNotice failure={outcome.failure} />}
      {outcome?.data !== undefined && children(outcome.data)}
      <Notes notes={outcome?.served?.notes} />
      {outcome !== undefined && outcome.state !== 'running' && <OutcomeFigures outcome={outcome} />}
    </section>
  );
}

function State<Data>({ outcome, subject }: Pick<OutcomeProps<Data>, 'outcome' | 'subject'>) {
  if (outcome === undefined) return <p className="quiet">Nothing has been sent yet.</p>;
  if (outcome.state === 'running') return <p className="quiet">{subject} is being made…</p>;
  if (outcome.state === 'stopped') return <p>Stopped before anything came.</p>;
  return outcome.state === 'done' ? <p>{subject} is there.</p> : null;
}

function OutcomeFigures<Data>({ outcome: { cost, isEstimated, served, firstMs, totalMs, state } }: { readonly outcome: Outcome<Data> }) {
  const requestId = served?.requestId;
  return (
    <div className="playground-figures">
      {cost !== undefined && (
        <span>
          <Money amount={cost} />
          {isEstimated === true && ' (estimated)'}
        </span>
      )}
      {cost === undefined && requestId !== undefined && <LateCost requestId={requestId} />}
      {firstMs !== undefined && <span>response begun after {formatMilliseconds(firstMs)}</span>}
      {totalMs !== undefined && <span>in all {formatMilliseconds(totalMs)}</span>}
      {state === 'refused' && <Badge kind="bad">Refused</Badge>}
      <RequestLink requestId={requestId} />
    </div>
  );
}
