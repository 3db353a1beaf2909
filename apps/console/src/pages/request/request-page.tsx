import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, unwrap, type Schemas } from '../../api';
import { Badge, Button, CopyButton, Loaded, LoadingState, PageHead } from '../../design';
import { formatMoneyExactly, parseMoney } from '../../format/money';
import { describeStatus } from '../requests/filter-words';
import { AttemptCost } from './attempt-cost';
import { ContentsPanel } from './contents/contents-panel';
import { LimitsPanel } from './limits-panel';
import { RawPanel } from './raw-panel';
import { RequestFacts } from './request-facts';
import { RequestFigures } from './request-figures';
import { WaterfallPanel } from './waterfall-panel';
import './request.css';

const route = getRouteApi('/shell/requests/$id');

export type Generation = Schemas['Generation']['generation'];
export type Attempt = Generation['attempts'][number];

export function RequestPage() {
  const { id } = route.useParams();
  const request = useQuery({
    queryKey: ['generations', 'one', id],
    queryFn: async ({ signal }) => {
      const { generation } = await unwrap(api.GET('/v1/generation/{request_id}', { params: { path: { request_id: id } }, signal }));
      return generation;
    },
  });
  const about = (
    <span className="row">
      <span className="mono request-id">{id}</span>
      <CopyButton text={id} label="Copy the request id" />
      {request.data !== undefined && <Status status={request.data.status} />}
    </span>
  );
  return (
    <>
      <nav aria-label="Way back">
        <Link to="/requests">← All requests</Link>
      </nav>
      <PageHead title="Request" about={about} />
      {request.error !== null && request.data === undefined && (
        <div className="row">
          <Button onClick={() => void request.refetch()} isBusy={request.isFetching}>
            Look again
          </Button>
        </div>
      )}
      <Loaded query={request} loading={<LoadingState lines={10} />}>
        {(generation) => <RequestParts generation={generation} />}
      </Loaded>
    </>
  );
}

function RequestParts({ generation }: { readonly generation: Generation }) {
  return (
    <>
      <RequestFigures generation={generation} />
      <WaterfallPanel generation={generation} />
      <section className="panel" aria-labelledby="request-cost">
        <div className="panel-body stack">
          <h2 id="request-cost">Cost</h2>
          {generation.attempts.map((attempt) => (
            <AttemptCost key={attempt.number} attempt={attempt} isOnly={generation.attempts.length === 1} />
          ))}
          <CostSum generation={generation} />
        </div>
      </section>
      <div className="request-columns">
        <RequestFacts generation={generation} />
        <LimitsPanel generation={generation} />
      </div>
      <ContentsPanel generation={generation} />
      <RawPanel generation={generation} />
    </>
  );
}

function Status({ status }: { readonly status: string }) {
  const { text, kind, about } = describeStatus(status);
  return (
    <span data-tip={about} tabIndex={0}>
      <Badge kind={kind}>{text}</Badge>
    </span>
  );
}

function CostSum({ generation: { attempts, cost, billed } }: { readonly generation: Generation }) {
  return (
    <dl className="request-sum">
      <dt>{attempts.length === 1 ? 'Cost of the request' : `Cost of the request: the sum of its ${attempts.length} attempts`}</dt>
      <dd className="number">{formatMoneyExactly(parseMoney(cost))}</dd>
      <dt>
        Billed
        {cost !== billed && <span className="quiet"> – what went to the organization’s own provider account is paid there, not here</span>}
      </dt>
      <dd className="number">{formatMoneyExactly(parseMoney(billed))}</dd>
    </dl>
  );
}
