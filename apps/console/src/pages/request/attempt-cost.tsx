import type { ReactNode } from 'react';
import { Notice, Table, type Column } from '../../design';
import { formatMoneyExactly, parseMoney } from '../../format/money';
import { formatCount } from '../../format/numbers';
import { recomputeCost, type ShownLine } from './recompute-cost';
import type { Attempt } from './request-page';

const writeExactly = (amount: string): string => formatMoneyExactly(parseMoney(amount));

type AttemptCostProps = { readonly attempt: Attempt; readonly isOnly: boolean };

const COLUMNS: readonly Column<ShownLine>[] = [
  { id: 'unit', head: 'What', cell: ({ unit }) => unit },
  { id: 'quantity', head: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
  { id: 'price', head: '× price', isNumber: true, cell: ({ price, per }) => <Price price={price} per={per} /> },
  { id: 'amount', head: '= amount', isNumber: true, cell: ({ amount }) => amount },
];

function Price({ price, per }: { readonly price: string; readonly per: string }) {
  return (
    <>
      {price} <span className="quiet">per {per}</span>
    </>
  );
}

/** What an attempt was charged for, line by line, so that it can be worked out again by hand. */
export function AttemptCost({ attempt, isOnly }: AttemptCostProps) {
  const { price_lines: lines, price_version: version, tokens_source: source } = attempt;
  return (
    <div className="stack">
      <div className="spread">
        <h3>{isOnly ? 'By the prices in force' : `Attempt ${attempt.number}: ${attempt.model}`}</h3>
        {lines?.length !== 0 && (
          <span className="quiet">
            Price version {version} · counted by {SOURCES[source]}
          </span>
        )}
      </div>
      {lines === null ? <NoLines attempt={attempt} /> : <Lines attempt={attempt} lines={lines} />}
      <Explanations attempt={attempt} />
    </div>
  );
}

const SOURCES: Readonly<Record<Attempt['tokens_source'], string>> = {
  provider: 'the provider',
  tokenizer: 'our tokenizer, because the provider reported nothing',
  estimate: 'an estimate of ours',
};

type LinesProps = { readonly attempt: Attempt; readonly lines: NonNullable<Attempt['price_lines']> };

function Lines({ attempt, lines }: LinesProps) {
  const recomputed = recomputeCost(lines, attempt.cost);
  if (lines.length === 0) return <p className="quiet">Nothing was charged for this attempt.</p>;
  return (
    <>
      <Table label={`Cost of attempt ${attempt.number}`} columns={COLUMNS} rows={recomputed.lines} rowKey={({ unit }) => unit} />
      <dl className="request-sum">
        {recomputed.isRounded && (
          <>
            <dt>Sum</dt>
            <dd className="number">{recomputed.sum}</dd>
          </>
        )}
        <dt>{recomputed.isRounded ? 'Cost, rounded once to 12 places, halves to even' : 'Sum, which is the cost'}</dt>
        <dd className="number">{writeExactly(attempt.cost)}</dd>
      </dl>
      {!recomputed.isRight && (
        <Notice kind="bad">
          These lines do not add up to the cost that was charged. Please report this request to the operator of the gateway.
        </Notice>
      )}
    </>
  );
}

function NoLines({ attempt: { price_lines_missing: reason, price_version: version, cost } }: Pick<AttemptCostProps, 'attempt'>) {
  const why =
    reason === 'prices_unknown'
      ? `The catalogue has the prices of version ${version} no more`
      : 'It was charged by something that is not kept with the request';
  return (
    <Notice>
      {why}, so the cost of <span className="number">{writeExactly(cost)}</span> cannot be shown line by line.
    </Notice>
  );
}

function Explanations({ attempt: { uncharged, doubted, tokens, corrected } }: Pick<AttemptCostProps, 'attempt'>): ReactNode {
  const last = corrected?.by.at(-1);
  return (
    <>
      {corrected !== null && last !== undefined && (
        <Notice>
          The price was corrected: <span className="number">{writeExactly(corrected.from.cost)}</span> was charged at first, by version{' '}
          {corrected.from.price_version}. {last.because}
        </Notice>
      )}
      {uncharged !== null && (
        <Notice>
          Not charged: the attempt failed after its provider had counted {describeTokens(uncharged.tokens)}, worth{' '}
          <span className="number">{writeExactly(uncharged.cost)}</span>. No one pays for it here; the provider may have charged the account
          it was called with.
        </Notice>
      )}
      {doubted !== null && (
        <Notice kind="warn">
          Doubted: the provider reported {describeTokens(doubted.tokens)}, which this request does not explain. Charged are{' '}
          {describeTokens(tokens)}, the most that it does explain.
        </Notice>
      )}
    </>
  );
}

function describeTokens({ input, cached_input: cached, cache_write: written, output }: Attempt['tokens']): string {
  return `${formatCount(input + cached + written)} tokens in and ${formatCount(output)} out`;
}
