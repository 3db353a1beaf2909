import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { Button, EmptyState, ListExport, Loaded, Money, Notice, Table, Tile, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { parseMoney } from '../../format/money';
import { AutoTopUpPanel } from './auto-top-up-panel';

type Finance = Schemas['FinancePage']['finance'];
type Credit = Finance['gift']['credits'][number];
type Line = Schemas['BalanceHistory']['history'][number];

export function BalanceTab() {
  const finance = useQuery({
    queryKey: ['balance', 'finance'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/organization/finance', { signal }))).finance,
  });
  return (
    <div className="money-stack">
      <Loaded query={finance}>{(found) => <Balance finance={found} />}</Loaded>
      <AutoTopUpPanel />
      <History />
    </div>
  );
}

function Balance({ finance }: { readonly finance: Finance }) {
  const { balance, cash, gift, promotion, counted_from: from, usage_not_counted: before } = finance;
  const credits = [
    ...gift.credits.map((credit) => ({ ...credit, kind: 'Gift' })),
    ...promotion.credits.map((credit) => ({ ...credit, kind: 'Promotion' })),
  ];
  return (
    <section className="panel" aria-labelledby="money-balance">
      <h2 id="money-balance" className="visually-hidden">
        Balance
      </h2>
      <div className="money-tiles">
        <Tile label="Balance" value={<Money amount={balance} />} />
        <Tile label="Cash" value={<Money amount={cash} />} />
        <Tile label="Gifts" value={<Money amount={gift.balance} />} />
        <Tile label="Promotions" value={<Money amount={promotion.balance} />} />
      </div>
      {from !== null && (
        <p className="panel-body quiet">
          Usage counts from <Time at={from} /> on, the first credit
          {parseMoney(before) === 0n ? '.' : ' ('}
          {parseMoney(before) !== 0n && (
            <>
              <Money amount={before} /> used before is not counted).
            </>
          )}
        </p>
      )}
      {credits.length > 0 && (
        <Table
          label="Credits"
          columns={CREDIT_COLUMNS}
          rows={credits}
          rowKey={({ kind, amount, expires_at: at }) => `${kind}${amount}${at}`}
        />
      )}
    </section>
  );
}

const CREDIT_COLUMNS: Column<Credit & { kind: string }>[] = [
  { id: 'kind', head: 'Credit', cell: ({ kind }) => kind },
  { id: 'amount', head: 'Given', isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
  { id: 'left', head: 'Left', isNumber: true, cell: ({ remaining }) => <Money amount={remaining} /> },
  {
    id: 'expires',
    head: 'Expires',
    cell: ({ expires_at: at }) => (at === null ? <span className="quiet">never</span> : <Time at={at} form="day" />),
  },
];

const KINDS: Readonly<Record<string, string>> = {
  usage: 'Usage of an hour',
  top_up: 'Top-up',
  gift: 'Gift',
  promotion: 'Promotion',
  expiry: 'Expired credit',
  refund: 'Refund',
  adjustment: 'Adjustment',
  opening: 'Opening',
  price_correction: 'Corrected price',
};

const LINE_COLUMNS: Column<Line>[] = [
  { id: 'at', head: 'When', width: 220, cell: ({ at }) => <Time at={at} /> },
  { id: 'kind', head: 'What', width: 180, cell: ({ kind }) => KINDS[kind] ?? kind },
  { id: 'amount', head: 'Amount', width: 160, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
  { id: 'note', head: 'Note', width: 320, cell: ({ note }) => note ?? '' },
];

const LINE_CSV: readonly CsvColumn<Line>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['amount_usd', ({ amount }) => amount],
  ['note', ({ note }) => note],
];

const MOST_AT_ONCE = 1000;

/** All of it, not only what was shown: a file that stops somewhere would not add up. */
async function readWholeLedger(): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: { limit: number; cursor?: string } = { limit: MOST_AT_ONCE, ...(cursor === '' ? {} : { cursor }) };
    const page: Schemas['BalanceHistory'] = await unwrap(api.GET('/v1/manage/balance/history', { params: { query } }));
    lines.push(...page.history);
    cursor = page.next ?? null;
  }
  return lines;
}

function History() {
  const history = useInfiniteQuery({
    queryKey: ['balance', 'history'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/v1/manage/balance/history', {
          params: { query: { limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const older = (
    <div className="administration-more">
      <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
        Show older lines
      </Button>
    </div>
  );
  return (
    <section className="panel" aria-labelledby="money-history">
      <div className="panel-body spread">
        <div>
          <h2 id="money-history">Ledger</h2>
          <p className="quiet">What moved the balance, newest first; usage as one line for each UTC hour.</p>
        </div>
        <ListExport name="ledger" columns={LINE_CSV} rows={readWholeLedger} />
      </div>
      <Loaded query={history}>
        {({ pages }) => (
          <Table
            label="Entries of the ledger"
            columns={LINE_COLUMNS}
            rows={pages.flatMap((page) => page.history)}
            rowKey={({ id }) => id}
            maxHeight="600px"
            empty={
              <EmptyState
                title="Nothing has moved the balance yet"
                text="The operator adds money, or a top-up does. Until then usage is not bounded by a balance unless the operator asks for one."
              />
            }
          />
        )}
      </Loaded>
      {history.isFetchNextPageError && <Notice kind="bad">Older lines could not be loaded. Try again.</Notice>}
      {history.hasNextPage && older}
    </section>
  );
}
