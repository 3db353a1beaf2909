import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { Badge, Button, Dialog, EmptyState, ListExport, Loaded, Money, Table, Time, type Column } from '../../design';
import type { CsvColumn } from '../../format/csv';
import { formatCount } from '../../format/numbers';
import { readPages } from '../administration/read-pages';

type Delivery = Schemas['AlertDelivery'];

const LIMIT = 50;

type Props = { readonly alertId: string; readonly name: string; readonly onClose: () => void };

/** What an alert has noticed, and what became of its calls. */
export function DeliveriesDialog({ alertId, name, onClose }: Props) {
  const deliveries = useInfiniteQuery({
    queryKey: ['alerts', alertId, 'deliveries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET('/v1/manage/alert/{id}/delivery', {
          params: { path: { id: alertId }, query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title="What it has reported"
      about={`${name}: each notice, newest first.`}
      actions={
        <>
          <ListExport name="deliveries" columns={CSV} rows={() => readAll(alertId)} />
          {deliveries.hasNextPage && (
            <Button isBusy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
              Older ones
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <Loaded query={deliveries}>
        {({ pages }) => (
          <Table
            label="Deliveries"
            columns={COLUMNS}
            rows={pages.flatMap((page) => page.deliveries)}
            rowKey={({ id }) => id}
            empty={<EmptyState title="Nothing yet" text="The bound has not been reached since the alert was made." />}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

const CSV: readonly CsvColumn<Delivery>[] = [
  ['id', ({ id }) => id],
  ['fired_at', ({ fired_at: at }) => at],
  ['kind', ({ kind }) => kind],
  ['repetition', ({ repetition }) => repetition],
  ['unit', ({ unit }) => unit],
  ['value', ({ value }) => value],
  ['threshold', ({ threshold }) => threshold],
  ['status', ({ status }) => status],
  ['attempts', ({ attempts }) => attempts],
  ['last_result', ({ last_result: result }) => result],
  ['next_attempt_at', ({ next_attempt_at: at }) => at],
  ['delivered_at', ({ delivered_at: at }) => at],
];

/** All of them, not only those that were shown. */
function readAll(alertId: string): Promise<readonly Delivery[]> {
  return readPages(async ({ limit, cursor }) => {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const { deliveries, next } = await unwrap(api.GET('/v1/manage/alert/{id}/delivery', { params: { path: { id: alertId }, query } }));
    return { rows: deliveries, next };
  });
}

const STATES = {
  pending: { kind: 'warn', text: 'tried again' },
  delivered: { kind: 'good', text: 'delivered' },
  dead: { kind: 'bad', text: 'given up' },
} as const;

const KINDS = { crossed: 'reached', recovered: 'over', test: 'test' } as const;

/** Amounts are money unless they say otherwise; of a test there are none. */
function Amount({ delivery: { kind, unit }, amount }: { readonly delivery: Delivery; readonly amount: string }) {
  if (kind === 'test') return null;
  return unit === 'USD' ? <Money amount={amount} /> : <>{`${formatCount(Number(amount))} ${unit}`}</>;
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'fired', head: 'Noticed', cell: ({ fired_at: at }) => <Time at={at} form="second" /> },
  {
    id: 'kind',
    head: 'What',
    cell: ({ kind, repetition }) => (repetition === 0 || kind !== 'crossed' ? KINDS[kind] : `${KINDS[kind]}, again (${repetition})`),
  },
  { id: 'value', head: 'At', isNumber: true, cell: (delivery) => <Amount delivery={delivery} amount={delivery.value} /> },
  { id: 'threshold', head: 'Bound', isNumber: true, cell: (delivery) => <Amount delivery={delivery} amount={delivery.threshold} /> },
  { id: 'state', head: 'State', cell: ({ status }) => <Badge kind={STATES[status].kind}>{STATES[status].text}</Badge> },
  { id: 'attempts', head: 'Calls', isNumber: true, cell: ({ attempts }) => attempts },
  { id: 'result', head: 'Last reply', cell: ({ last_result: result }) => result ?? 'none yet' },
  {
    id: 'next',
    head: 'Next or last',
    cell: ({ next_attempt_at: next, delivered_at: delivered }) => {
      const at = delivered ?? next;
      return at === null ? '' : <Time at={at} form="second" />;
    },
  },
];
