import { describeWithRealParts } from '@weir/testing';
import { parseUsageQuery } from '@weir/usage';
import { startBench, type Bench } from './__fixtures__/start-bench';
import { describeUsageReads } from './usage-reads.conformance';

const NOON = Date.UTC(2026, 7, 10, 12);

describeWithRealParts(['clickhouse', 'postgres'], 'usage queries', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench();
  }, 300_000);
  afterAll(() => bench.stop());

  describe('read from Postgres', () => {
    describeUsageReads(async () => {
      const stores = await bench.open({ nowMs: NOON });
      const { organizationId } = stores;
      return { stores, read: (input, scope = {}) => stores.postgres.readUsage(parseUsageQuery(input, { organizationId, ...scope })) };
    });
  });

  describe('read from ClickHouse, out of sums', () => {
    describeUsageReads(async () => {
      const stores = await bench.open({ nowMs: NOON });
      const { organizationId } = stores;
      return {
        stores,
        read: async (input, scope = {}) => {
          // A minute later sums of what has changed are built again.
          stores.setNow((at += 61_000));
          await stores.feeder.feedOnce();
          const response = await stores.columnar.readUsage(parseUsageQuery(input, { organizationId, ...scope }));
          expect(stores.outcomes.at(-1)).toBe('clickhouse');
          return response;
        },
      };
    });
    let at = NOON;
    afterEach(() => {
      at = NOON;
    });
  });

  describe('read from ClickHouse, out of events', () => {
    describeUsageReads(async () => {
      const stores = await bench.open({ nowMs: NOON });
      const { organizationId } = stores;
      return {
        stores,
        read: async (input, scope = {}) => {
          // At that time nothing of it is over, so nothing is added up.
          stores.setNow(Date.UTC(2026, 6, 1));
          await stores.feeder.feedOnce();
          stores.setNow(NOON);
          const response = await stores.columnar.readUsage(parseUsageQuery(input, { organizationId, ...scope }));
          expect(stores.outcomes.at(-1)).toBe('clickhouse');
          return response;
        },
      };
    });
  });
});
