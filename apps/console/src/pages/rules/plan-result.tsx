import { Badge, ListExport, Money, Notice, Table, Time, type Column } from '../../design';
import type { Schemas } from '../../api';
import type { CsvColumn } from '../../format/csv';
import { listLabels } from '../administration/labels';
import { LimitFigure } from '../limits/limit-fill';
import { writeMeasure } from '../limits/limit-words';
import { writeShare } from './draw-policy';
import { describeDataRules, nameHealth, nameObstacle, nameLimit, nameReason } from './plan-words';

type Plan = Schemas['Plan'];
type PlanProps = { readonly plan: Plan };

export function PlanResult({ plan }: PlanProps) {
  return (
    <>
      <Outcome plan={plan} />
      {plan.attempts.length > 0 && <Attempts plan={plan} />}
      {plan.left_out.length > 0 && <LeftOut plan={plan} />}
      {plan.orders.length > 0 && <Orders plan={plan} />}
      <Bounds plan={plan} />
    </>
  );
}

function Outcome({ plan }: PlanProps) {
  const { allowed, refusal, api_key: key, planned_at: at } = plan;
  return (
    <div className="panel panel-body stack" role="status">
      <div className="spread">
        <h2>{allowed ? 'It would be served' : 'It would be refused'}</h2>
        <Badge kind={allowed ? 'good' : 'bad'}>{allowed ? 'allowed' : `${refusal?.status ?? ''} ${refusal?.code ?? ''}`}</Badge>
      </div>
      {refusal !== null && <Notice kind="bad">{refusal.message}</Notice>}
      <p className="quiet">
        <Way plan={plan} /> with the key “{key.name}”, planned <Time at={at} />.
      </p>
      {isByChance(plan) && <p className="quiet">A policy chooses by chance here: the next request may go another way.</p>}
    </div>
  );
}

function isByChance({ orders }: Plan): boolean {
  return orders.some(({ reason, members }) => members.length > 1 && (reason === 'weighted' || reason === 'exploring'));
}

/** From what was asked for to the model that would serve it. */
function Way({ plan: { model, attempts } }: PlanProps) {
  const first = attempts[0]?.model;
  return (
    <>
      <code>{model ?? 'No model'}</code>
      {first !== undefined && first !== model && (
        <>
          {' → '}
          <code>{first}</code>
        </>
      )}
    </>
  );
}

type Attempt = Plan['attempts'][number];

const ATTEMPT_COLUMNS: Column<Attempt & { readonly place: number }>[] = [
  { id: 'place', head: 'Try', isNumber: true, width: 48, cell: ({ place }) => place },
  { id: 'model', head: 'Model', width: 240, cell: ({ model }) => <span className="mono">{model}</span> },
  {
    id: 'where',
    head: 'Where',
    width: 180,
    cell: ({ provider, region, account, provider_credential: credential }) => (
      <>
        {provider}
        {region !== null && ` in ${region}`}
        {account === 'organization' && (
          <span className="quiet"> with your own key{credential?.name == null ? '' : ` “${credential.name}”`}</span>
        )}
      </>
    ),
  },
  {
    id: 'health',
    head: 'Health',
    width: 130,
    cell: ({ health }) => <Badge kind={nameHealth(health).kind}>{nameHealth(health).text}</Badge>,
  },
  { id: 'cost', head: 'Costs at most', isNumber: true, width: 120, cell: ({ cost_max: cost }) => <Money amount={cost} /> },
  { id: 'why', head: 'Why', width: 260, cell: ({ why }) => <span className="quiet">{why ?? 'it was asked for'}</span> },
];

const ATTEMPT_CSV: readonly CsvColumn<Attempt & { readonly place: number }>[] = [
  ['try', ({ place }) => place],
  ['model', ({ model }) => model],
  ['provider', ({ provider }) => provider],
  ['region', ({ region }) => region],
  ['account', ({ account }) => account],
  ['health', ({ health }) => health],
  ['cost_max_usd', ({ cost_max: cost }) => cost],
  ['why', ({ why }) => why],
];

function Attempts({ plan: { attempts } }: PlanProps) {
  const rows = attempts.map((attempt, index) => ({ ...attempt, place: index + 1 }));
  return (
    <section className="panel" aria-labelledby="rules-attempts">
      <div className="panel-body spread">
        <div>
          <h2 id="rules-attempts">Where it would go</h2>
          <p className="quiet">From the first try on; each of the others only when those before it fail.</p>
        </div>
        <ListExport name="planned attempts" columns={ATTEMPT_CSV} rows={rows} />
      </div>
      <Table label="Attempts" columns={ATTEMPT_COLUMNS} rows={rows} rowKey={({ place }) => String(place)} />
    </section>
  );
}

const LEFT_OUT_COLUMNS: Column<Plan['left_out'][number]>[] = [
  { id: 'model', head: 'Model', width: 240, cell: ({ model }) => <span className="mono">{model}</span> },
  { id: 'why', head: 'Because of', width: 150, cell: ({ code }) => <Badge kind="warn">{nameObstacle(code)}</Badge> },
  { id: 'message', head: 'In full', width: 420, cell: ({ message }) => <span className="rules-message">{message}</span> },
];

const LEFT_OUT_CSV: readonly CsvColumn<Plan['left_out'][number]>[] = [
  ['policy', ({ policy }) => policy],
  ['model', ({ model }) => model],
  ['code', ({ code }) => code],
  ['message', ({ message }) => message],
];

function LeftOut({ plan: { left_out: rows } }: PlanProps) {
  return (
    <section className="panel" aria-labelledby="rules-left-out">
      <div className="panel-body spread">
        <h2 id="rules-left-out">What is left out</h2>
        <ListExport name="what is left out" columns={LEFT_OUT_CSV} rows={rows} />
      </div>
      <Table label="Left out" columns={LEFT_OUT_COLUMNS} rows={rows} rowKey={({ policy, model }) => `${policy} ${model}`} />
    </section>
  );
}

function Orders({ plan: { orders } }: PlanProps) {
  return (
    <section className="panel panel-body stack" aria-labelledby="rules-orders">
      <h2 id="rules-orders">How it was ordered</h2>
      {[...orders].reverse().map((order, index) => {
        const total = order.members.reduce((sum, { weight }) => sum + weight, 0);
        return (
          <div key={`${order.policy} ${index}`}>
            <h3>
              <code>{order.policy}</code>
            </h3>
            <p className="quiet">{nameReason(order)}</p>
            <ol className="rules-order">
              {order.members.map((member) => (
                <li key={member.model}>
                  <span className="mono">{member.model}</span>
                  {order.strategy === 'weighted' && (
                    <span className="quiet">
                      {' '}
                      weight {member.weight}, {writeShare(member.weight / total)}
                    </span>
                  )}
                  {order.strategy === 'latency' && (
                    <span className="quiet"> {member.first_byte_ms === null ? 'not measured yet' : `${member.first_byte_ms} ms`}</span>
                  )}
                </li>
              ))}
            </ol>
          </div>
        );
      })}
    </section>
  );
}

type PlannedAmountProps = { readonly limit: Plan['limits'][number]; readonly amount: string | null };

/** In the unit of the limit; a limit that only counts has nothing left to say. */
function PlannedAmount({ limit: { measure }, amount }: PlannedAmountProps) {
  if (amount === null) return <span className="quiet">only counts</span>;
  return (
    <>
      <LimitFigure measure={measure} amount={amount} />
      {measure !== 'usd' && <span className="quiet"> {writeMeasure({ measure })}</span>}
    </>
  );
}

const LIMIT_COLUMNS: Column<Plan['limits'][number]>[] = [
  { id: 'scope', head: 'Limit', width: 220, cell: (limit) => nameLimit(limit) },
  { id: 'limit', head: 'Of', isNumber: true, width: 160, cell: (limit) => <PlannedAmount limit={limit} amount={limit.limit} /> },
  { id: 'remaining', head: 'Left', isNumber: true, width: 120, cell: (limit) => <PlannedAmount limit={limit} amount={limit.remaining} /> },
  { id: 'binds', head: 'Binds', width: 90, cell: ({ binds }) => (binds ? <Badge kind="warn">binds</Badge> : null) },
];

function Bounds({ plan }: PlanProps) {
  const { cost_max: cost, limits, max_tokens_clamped: clamped, requests_per_minute: rate, guardrails, labels } = plan;
  const named = listLabels(labels);
  return (
    <section className="panel" aria-labelledby="rules-bounds">
      <div className="panel-body stack">
        <h2 id="rules-bounds">What bounds it</h2>
        <dl className="rules-facts">
          <Fact name="Costs at most">{cost === null ? '–' : <Money amount={cost} />}</Fact>
          {clamped !== null && <Fact name="Reply is cut to">{clamped} tokens, to fit what is left</Fact>}
          {rate !== null && <Fact name="Rate of its member">{rate} requests a minute</Fact>}
          <Fact name="Data rules">{describeDataRules(plan.data_rules) || '–'}</Fact>
          <Fact name="Guardrails">
            {guardrails.length === 0 ? 'none' : guardrails.map(({ name, action }) => `${name} (${action})`).join(', ')}
          </Fact>
          {named.length > 0 && <Fact name="Labels">{named.join(', ')}</Fact>}
        </dl>
        {limits.length === 0 && <p className="quiet">No limit of money holds for it.</p>}
      </div>
      {limits.length > 0 && <Table label="Limits" columns={LIMIT_COLUMNS} rows={limits} rowKey={({ scope }) => scope} />}
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
