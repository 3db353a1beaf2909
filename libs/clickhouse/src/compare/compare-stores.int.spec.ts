import { describeWithRealParts, makeUsageEvent } from '@weir/testing';
import { DAY_MS, HOUR_MS, parseUsageQuery } from '@weir/usage';
import { startBench, type Bench, type Stores } from '../__fixtures__/start-bench';

const DAY = Date.UTC(2026, 7, 7);

describeWithRealParts(['clickhouse', 'postgres'], 'comparing ClickHouse with Postgres once a day', () => {
  let bench: Bench;
  let stores: Stores;
  beforeAll(async () => {
    bench = await startBench();
  }, 300_000);
  afterAll(() => bench.stop());
  beforeEach(async () => {
    stores = await bench.open({ nowMs: DAY + DAY_MS });
    const { organizationId } = stores;
    const events = [0, 1, 2, 30, 31].map((hour) =>
      makeUsageEvent({ org_id: organizationId, admitted_at: DAY - DAY_MS + hour * HOUR_MS + 1, cost_p: String(hour + 1) }),
    );
    await stores.count(events);
    await stores.feeder.feedOnce();
  });
  afterEach(() => stores.close());

  const readDays = async (): Promise<unknown> => {
    const query = parseUsageQuery(
      { start: '2026-08-06T00:00:00Z', end: '2026-08-09T00:00:00Z' },
      { organizationId: stores.organizationId },
    );
    const reply = await stores.columnar.readUsage(query);
    expect(stores.outcomes.at(-1)).toBe('clickhouse');
    return reply;
  };
  const readTruth = () =>
    stores.postgres.readUsage(
      parseUsageQuery({ start: '2026-08-06T00:00:00Z', end: '2026-08-09T00:00:00Z' }, { organizationId: stores.organizationId }),
    );
  /** Of the n-th day after, at two in the morning and twice: what was mended is compared again. */
  const compareOn = async (day: number): Promise<void> => {
    stores.setNow(DAY + (day + 1) * DAY_MS + 2 * HOUR_MS);
    await stores.feeder.feedOnce();
    await stores.feeder.feedOnce();
  };

  test('finds nothing where nothing differs, and looks once a day, after everything of the day before is counted', async () => {
    stores.setNow(DAY + DAY_MS + HOUR_MS / 2);
    await stores.feeder.feedOnce();
    const comparedDay = async (): Promise<unknown> =>
      (await stores.database.pool.query('SELECT compared_day FROM usage_feed')).rows[0]?.compared_day;
    expect(await comparedDay()).toBeNull();
    await compareOn(0);
    expect(await comparedDay()).toEqual(new Date(DAY + DAY_MS));
    expect(stores.metrics).toMatchObject({ differing: 0, rewritten: 0 });
  });

  const insertAgain = (changes: string): string =>
    `INSERT INTO usage_event SELECT * REPLACE(${changes}) FROM usage_event WHERE org_id = toUUID('ORG') AND admitted_at > toDateTime64('2026-08-07 00:00:00', 3, 'UTC') LIMIT 1`;
  const spoilt: readonly (readonly [what: string, sql: string])[] = [
    ['an event is gone', "DELETE FROM usage_event WHERE org_id = toUUID('ORG') AND cost_pico = 31"],
    ['all events of a day are gone', "DELETE FROM usage_event WHERE org_id = toUUID('ORG')"],
    ['an event is there that was never counted', insertAgain('seq + 1000 AS seq')],
    ['an event says something else', insertAgain('images + 1 AS images, run + 1 AS run')],
    [
      'sums of a day are wrong',
      "ALTER TABLE usage_rollup UPDATE ttft_count = ttft_count + 1 WHERE org_id = toUUID('ORG') AND resolution = 'day' SETTINGS mutations_sync = 1",
    ],
    ['sums of an hour are gone, and those of its day', "DELETE FROM usage_rollup WHERE org_id = toUUID('ORG') AND resolution != 'month'"],
  ];
  test.each(spoilt)('%s: written once more, and the same again', async (_what, sql) => {
    stores.setNow(DAY + DAY_MS + HOUR_MS / 2);
    await stores.feeder.feedOnce();
    await stores.clickhouse.run(sql.replaceAll('ORG', stores.organizationId));
    await compareOn(0);
    expect(stores.metrics.differing).toBe(0);
    expect(stores.metrics.rewritten).toBeGreaterThan(0);
    expect(await readDays()).toEqual(await readTruth());
    const twice = stores.metrics.rewritten;
    await compareOn(1);
    expect(stores.metrics).toMatchObject({ differing: 0, rewritten: twice });
  });

  test('what cannot be mended is reported, day after day', async () => {
    await stores.database.pool.query('UPDATE usage_day SET cost_pico = cost_pico + 1 WHERE period_start = $1', [new Date(DAY)]);
    await compareOn(0);
    expect(stores.metrics.differing).toBe(1);
    await compareOn(1);
    expect(stores.metrics.differing).toBe(1);
    await stores.database.pool.query('UPDATE usage_day SET cost_pico = cost_pico - 1 WHERE period_start = $1', [new Date(DAY)]);
    await compareOn(2);
    expect(stores.metrics.differing).toBe(0);
  });
});
