import type { CSSProperties } from 'react';
import { Badge } from '../../design';
import { formatMilliseconds } from '../../format/numbers';
import { describeStatus } from '../requests/filter-words';
import { layOutWaterfall, type AttemptSpan, type Waterfall } from './lay-out-waterfall';
import type { Attempt, Generation } from './request-page';

/** Where the time went: for each attempt when it was sent, when the first byte came and when it ended. */
export function WaterfallPanel({ generation: { admitted_at: admittedAt, attempts } }: { readonly generation: Generation }) {
  const waterfall = layOutWaterfall(admittedAt, attempts);
  return (
    <section className="panel" aria-labelledby="request-attempts">
      <div className="panel-body stack">
        <div className="spread">
          <h2 id="request-attempts">{attempts.length === 1 ? 'Attempt' : `${attempts.length} attempts`}</h2>
          <div className="row quiet request-legend">
            <Key kind="waiting" text="until the first byte" />
            <Key kind="receiving" text="until the end" />
            {attempts.some(({ status }) => status !== 'ok') && <Key kind="failed" text="until it failed" />}
          </div>
        </div>
        <Axis waterfall={waterfall} />
        <ol className="stack">
          {attempts.map((attempt, index) => {
            const span = waterfall.spans[index];
            return span === undefined ? null : (
              <AttemptRow key={attempt.number} attempt={attempt} span={span} totalMs={waterfall.totalMs} />
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function Key({ kind, text }: { readonly kind: 'waiting' | 'receiving' | 'failed'; readonly text: string }) {
  return (
    <span className="request-key">
      <span className={`request-swatch request-${kind}`} /> {text}
    </span>
  );
}

const toPart = (ms: number, totalMs: number): string => `${(ms / totalMs) * 100}%`;

function Axis({ waterfall: { ticks, totalMs } }: { readonly waterfall: Waterfall }) {
  return (
    <div className="request-axis" aria-hidden="true">
      {ticks.map((tick) => (
        <span
          key={tick}
          className={tick / totalMs > 0.9 ? 'request-tick request-tick-last' : 'request-tick'}
          style={{ left: toPart(tick, totalMs) }}
        >
          {formatMilliseconds(tick)}
        </span>
      ))}
    </div>
  );
}

type AttemptRowProps = { readonly attempt: Attempt; readonly span: AttemptSpan; readonly totalMs: number };

function AttemptRow({ attempt, span, totalMs }: AttemptRowProps) {
  const { text, kind, about } = describeStatus(attempt.status);
  return (
    <li className="request-attempt">
      <div className="row">
        <span className="request-number">{attempt.number}</span>
        <strong className="request-place">{attempt.model}</strong>
        <span data-tip={about} tabIndex={0}>
          <Badge kind={kind}>{text}</Badge>
        </span>
        {attempt.own_key && <Badge>own account</Badge>}
      </div>
      <Track attempt={attempt} span={span} totalMs={totalMs} />
      <p className="quiet request-words">{describeTimes(attempt, span)}</p>
      <dl className="request-reasons">
        <Reason name="Chosen" text={attempt.why_chosen === 'requested' ? 'it was requested' : attempt.why_chosen} />
        {attempt.why_left !== null && <Reason name="Left" text={describeLeaving(attempt)} />}
        {attempt.provider_status !== null && <Reason name="Provider’s status" text={String(attempt.provider_status)} />}
        <Reason name="Provider" text={attempt.region === null ? attempt.provider : `${attempt.provider}, ${attempt.region}`} />
      </dl>
    </li>
  );
}

function Track({ attempt, span, totalMs }: AttemptRowProps) {
  const { startMs, firstByteMs, endMs } = span;
  const lay = (from: number, to: number): CSSProperties => ({
    left: `min(${toPart(from, totalMs)}, calc(100% - 3px))`,
    width: toPart(to - from, totalMs),
  });
  const isFailed = attempt.status !== 'ok';
  return (
    <div className="request-track" role="img" aria-label={describeTimes(attempt, span)}>
      <div
        className={isFailed && firstByteMs === null ? 'request-bar request-failed' : 'request-bar request-waiting'}
        style={lay(startMs, firstByteMs ?? endMs)}
      />
      {firstByteMs !== null && (
        <div className={isFailed ? 'request-bar request-failed' : 'request-bar request-receiving'} style={lay(firstByteMs, endMs)} />
      )}
    </div>
  );
}

function Reason({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function describeTimes(attempt: Attempt, { startMs, firstByteMs, endMs, isStartUnknown }: AttemptSpan): string {
  if (isStartUnknown) return 'Its process crashed: nothing says when it began or how long it ran.';
  const first = firstByteMs === null ? 'no first byte' : `first byte after ${formatMilliseconds(attempt.first_byte_milliseconds ?? 0)}`;
  return `Sent at ${formatMilliseconds(startMs)}, ${first}, ended at ${formatMilliseconds(endMs)}: ${formatMilliseconds(attempt.milliseconds)} in all.`;
}

const ORIGINS: Readonly<Record<string, string>> = { provider: 'the provider', router: 'the gateway' };

function describeLeaving({ why_left: why, error_origin: origin }: Attempt): string {
  return origin === null ? (why ?? '') : `${why ?? ''} (from ${ORIGINS[origin] ?? origin})`;
}
