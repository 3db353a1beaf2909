import { z } from 'zod';
import { flag, httpUrl, integer } from '../values';

/** A columnar store beside Postgres. Without an address there is none. */
export const clickHouseEnv = z.object({
  CLICKHOUSE_URL: httpUrl.optional(),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be a name of letters, digits and _')
    .default('weir'),
  CLICKHOUSE_USER: z.string().min(1).default('default'),
  CLICKHOUSE_PASSWORD: z.string().default(''),
  /** How long usage is kept there, and by how much a question may reach back. */
  CLICKHOUSE_RETENTION_DAYS: integer(40, 3650).default(760),
});

/** Of the process that feeds it. */
export const clickHouseFeedEnv = z.object({
  /** Makes the tables at the first pass; false where that is done by someone else. */
  CLICKHOUSE_MAKE_TABLES: flag.default(true),
});

/** Of the process that replies to questions about usage. */
export const usageStoreEnv = z.object({ USAGE_STORE: z.enum(['postgres', 'clickhouse']).default('postgres') });

export type ClickHouseOptions = {
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly retentionDays: number;
};

/** Undefined where there is no columnar store. Throws where questions are to be read from one that has no address. */
export function readClickHouseOptions(
  env: z.infer<typeof clickHouseEnv> & Partial<z.infer<typeof usageStoreEnv>>,
): ClickHouseOptions | undefined {
  if (env.CLICKHOUSE_URL === undefined) {
    if (env.USAGE_STORE === 'clickhouse') throw new Error('USAGE_STORE is clickhouse, but CLICKHOUSE_URL is not given');
    return undefined;
  }
  return {
    url: env.CLICKHOUSE_URL,
    database: env.CLICKHOUSE_DATABASE,
    user: env.CLICKHOUSE_USER,
    password: env.CLICKHOUSE_PASSWORD,
    retentionDays: env.CLICKHOUSE_RETENTION_DAYS,
  };
}
