import { z } from 'zod';
import { clickHouseEnv, readClickHouseOptions, usageStoreEnv } from './clickhouse';

const env = z.object({ ...clickHouseEnv.shape, ...usageStoreEnv.shape });

describe('settings of a columnar store', () => {
  it('are none without an address', () => {
    expect(readClickHouseOptions(env.parse({}))).toBeUndefined();
  });

  it('say where it is and who asks', () => {
    const asked = {
      CLICKHOUSE_URL: 'https://clickhouse.example:8443/',
      CLICKHOUSE_USER: 'weir',
      CLICKHOUSE_PASSWORD: 's',
      USAGE_STORE: 'clickhouse',
    };
    expect(readClickHouseOptions(env.parse(asked))).toEqual({
      ...{ url: 'https://clickhouse.example:8443', database: 'weir', user: 'weir', password: 's', retentionDays: 760 },
    });
  });

  it('stop a start that would read from nowhere, or from a database that is no name', () => {
    expect(() => readClickHouseOptions(env.parse({ USAGE_STORE: 'clickhouse' }))).toThrow('CLICKHOUSE_URL is not given');
    expect(env.safeParse({ CLICKHOUSE_DATABASE: 'a; DROP' }).success).toBe(false);
  });
});
