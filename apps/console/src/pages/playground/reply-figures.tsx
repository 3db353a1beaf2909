import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge, Money } from '../../design';
import { formatCount, formatMilliseconds } from '../../format/numbers';
import { lacksCost, type Reply, type Usage } from './conversation';
import { findCost } from './find-cost';

/** What a reply took: money, tokens and time, each as the gateway says it. */
export function ReplyFigures({ reply }: { readonly reply: Reply }) {
  const { served, firstMs, totalMs, state } = reply;
  return (
    <div className="playground-figures">
      <Spent reply={reply} />
      {firstMs !== undefined && <span>first token {formatMilliseconds(firstMs)}</span>}
      {totalMs !== undefined && <span>in all {formatMilliseconds(totalMs)}</span>}
      <FinishBadge reply={reply} />
      {served?.model !== undefined && served.model !== reply.model && <span>by {served.model}</span>}
      {state !== 'running' && <RequestLink requestId={served?.requestId} />}
    </div>
  );
}

/** To the page of a request. */
export function RequestLink({ requestId }: { readonly requestId: string | undefined }) {
  if (requestId === undefined) return null;
  return (
    <Link to="/requests/$id" params={{ id: requestId }}>
      This request
    </Link>
  );
}

function Spent({ reply }: { readonly reply: Reply }) {
  const { usage, lateCost } = reply;
  return (
    <>
      {usage?.cost !== undefined && (
        <span>
          <Money amount={usage.cost} />
          {usage.isEstimated && ' (estimated)'}
        </span>
      )}
      {lacksCost(reply) && <span>the cost is being counted</span>}
      {typeof lateCost === 'string' && <Money amount={lateCost} />}
      {usage !== undefined && <span>{describeTokens(usage)}</span>}
    </>
  );
}

/** The cost of a request whose response did not say it. */
export function LateCost({ requestId }: { readonly requestId: string }) {
  const cost = useQuery({ queryKey: ['generations', 'cost', requestId], queryFn: () => findCost(requestId), staleTime: Infinity });
  if (cost.data === undefined) return <span>the cost is being counted</span>;
  return cost.data === null ? null : <Money amount={cost.data} />;
}

function FinishBadge({ reply: { state, finish } }: { readonly reply: Reply }) {
  if (state === 'stopped') return <Badge kind="warn">Stopped</Badge>;
  if (state === 'broken') return <Badge kind="bad">Broken off</Badge>;
  if (state === 'refused') return <Badge kind="bad">Refused</Badge>;
  if (finish === 'length') return <Badge kind="warn">Cut at its maximum of tokens</Badge>;
  return finish === 'content_filter' ? <Badge kind="warn">Cut by a content filter</Badge> : null;
}

function describeTokens({ input, output, cached, reasoning }: Usage): string {
  const read = cached === 0 ? '' : ` (${formatCount(cached)} cached)`;
  const thought = reasoning === 0 ? '' : ` (${formatCount(reasoning)} reasoning)`;
  return `${formatCount(input)} tokens in${read}, ${formatCount(output)} out${thought}`;
}
