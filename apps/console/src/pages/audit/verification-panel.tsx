import { Link } from '@tanstack/react-router';
import { Badge, Button, CopyButton, Icon, Time } from '../../design';
import { formatCount } from '../../format/numbers';
import { isWhole, useVerification, type Verification } from './use-verification';

/** Whether the log is as it was written. */
export function VerificationPanel() {
  const { state, start, stop } = useVerification();
  return (
    <section className="panel panel-body stack" aria-labelledby="verification">
      <div className="spread">
        <div className="row">
          <h2 id="verification">The chain</h2>
          {state !== undefined && <Outcome state={state} />}
        </div>
        {state?.isRunning === true ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button onClick={start}>
            <Icon name="audit" size={14} /> {state === undefined ? 'Verify the log' : 'Verify again'}
          </Button>
        )}
      </div>
      <div role="status">
        {state === undefined ? (
          <p className="quiet">
            Each entry’s hash covers the entry before it, and the database counts them beside the log. Verifying computes every hash anew.
          </p>
        ) : (
          <Findings state={state} />
        )}
      </div>
    </section>
  );
}

function Outcome({ state }: { readonly state: Verification }) {
  if (state.isRunning) return <Badge>verifying …</Badge>;
  if (state.error !== undefined || state.missing === null) return <Badge kind="warn">not finished</Badge>;
  return isWhole(state) ? <Badge kind="good">whole</Badge> : <Badge kind="bad">not whole</Badge>;
}

function Findings({ state }: { readonly state: Verification }) {
  const { entries, upTo, verifiedAt, error } = state;
  return (
    <div className="stack">
      <p>
        {formatCount(entries)} {entries === 1 ? 'entry' : 'entries'} computed anew
        {upTo !== null && (
          <>
            , up to entry {upTo.id} of <Time at={upTo.at} form="second" />
          </>
        )}
        {verifiedAt !== undefined && (
          <>
            {' '}
            (verified <Time at={verifiedAt} form="second" />)
          </>
        )}
        .
      </p>
      {error !== undefined && <p className="audit-bad">It could not be finished: {error}</p>}
      <Problems state={state} />
      {!state.isRunning && upTo !== null && isWhole(state) && <Head hash={upTo.hash} />}
    </div>
  );
}

function Problems({ state: { firstBroken, missing, hasNewest } }: { readonly state: Verification }) {
  return (
    <>
      {firstBroken !== null && (
        <p className="audit-bad">
          The first that does not agree is{' '}
          <Link to="/audit" search={{ entry: firstBroken.id }}>
            entry {firstBroken.id}
          </Link>{' '}
          of <Time at={firstBroken.at} form="second" />:{' '}
          {firstBroken.why === 'changed' ? 'it is not as it was written.' : 'it was not written after the entry that stands before it.'}
        </p>
      )}
      {missing !== null && missing !== 0 && (
        <p className="audit-bad">
          {formatCount(Math.abs(missing))} {missing > 0 ? 'that were added are gone.' : 'more are there than were counted.'}
        </p>
      )}
      {hasNewest === false && <p className="audit-bad">The newest entry that was noted beside the log is gone, or changed.</p>}
    </>
  );
}

/** Noted elsewhere, it shows later that the end was not cut off together with its count. */
function Head({ hash }: { readonly hash: string }) {
  return (
    <p className="row quiet">
      Hash of the newest: <code className="audit-hash">{hash}</code>
      <CopyButton text={hash} label="Copy the hash of the newest entry" />
    </p>
  );
}
