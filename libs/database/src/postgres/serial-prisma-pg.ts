import { PrismaPg } from '@prisma/adapter-pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/**
 * Prisma's adapter, with the statements of a transaction one after the other. Prisma reads several relations at once, which
 * a transaction, having one connection, cannot: the driver queues them still, warns that it will not for long, and refuses
 * from its next major version on.
 */
export class SerialPrismaPg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => serialize(await start(isolationLevel));
    return adapter;
  }
}

function serialize(transaction: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Query, Result>(run: (query: Query) => Promise<Result>) => {
    return (query: Query): Promise<Result> => {
      const done = last.then(() => run(query));
      last = done.catch(() => undefined);
      return done;
    };
  };
  transaction.queryRaw = inTurn(transaction.queryRaw.bind(transaction));
  transaction.executeRaw = inTurn(transaction.executeRaw.bind(transaction));
  return transaction;
}
