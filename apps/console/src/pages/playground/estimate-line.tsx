import { Badge, Money } from '../../design';
import type { Estimated } from './estimate';

/** What the next request costs at most, and whether it would be let through. */
export function EstimateLine({ estimated, subject }: { readonly estimated: Estimated; readonly subject?: string }) {
  const who = subject === undefined ? null : <span className="playground-model">{subject}: </span>;
  if (estimated === undefined) return null;
  if ('error' in estimated)
    return (
      <span className="playground-estimate quiet">
        {who}
        {estimated.error}
      </span>
    );
  const { cost_max: cost, refusal, max_tokens_clamped: clamped } = estimated.estimate;
  return (
    <span className="playground-estimate">
      {who}
      {cost === null ? <span className="quiet">what it costs cannot be known before</span> : <>costs at most {<Money amount={cost} />}</>}
      {clamped !== null && <span className="quiet"> · limited to {clamped} tokens by what is left of a limit</span>}
      {refusal !== null && (
        <>
          {' '}
          <Badge kind="bad">Would be refused</Badge> {refusal.message}
        </>
      )}
    </span>
  );
}
