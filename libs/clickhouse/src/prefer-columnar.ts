import type { UsageResponse } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { UsageQuery, UsageStore } from '@weir/usage';
import type { ColumnarReader, NotReadable } from './queries/create-columnar-reader';

/** Who replied to a question, and why it was Postgres. */
export type ReadOutcome = 'clickhouse' | NotReadable | 'failed';

type PreferParts = {
  /** Holds everything, and replies where ClickHouse cannot. */
  readonly store: UsageStore;
  readonly reader: ColumnarReader;
  /** Runs a question of an organization when it is its turn. */
  readonly inTurn: <Result>(organizationId: string, ask: () => Promise<Result>) => Promise<Result>;
  readonly onRead: (outcome: ReadOutcome) => void;
  readonly log: { warn(about: object, message: string): void };
};

/** The same store, with questions about usage read from ClickHouse wherever it has all that they are about. */
export function preferColumnar({ store, reader, inTurn, onRead, log }: PreferParts): UsageStore {
  const read = async (query: UsageQuery): Promise<UsageResponse | ReadOutcome> => {
    try {
      return await inTurn(query.organizationId, () => reader.read(query));
    } catch (error) {
      // What is wrong with the question is so in every store.
      if (error instanceof GatewayError) throw error;
      log.warn({ error }, 'ClickHouse could not be asked about usage; Postgres is');
      return 'failed';
    }
  };
  return {
    ...store,
    readUsage: async (query) => {
      const result = await read(query);
      onRead(typeof result === 'string' ? result : 'clickhouse');
      return typeof result === 'string' ? store.readUsage(query) : result;
    },
  };
}
