import { createHash } from 'node:crypto';
import type { SeriesDimensions } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { SERIES_COLUMNS } from '../series/series-columns';

/** Ids of series, by identity. */
export type SeriesIds = ReadonlyMap<string, string>;

export type SeriesDirectory = {
  /** Finds the ids of series and adds those that are new, in the caller's transaction. */
  resolve(client: PoolClient, series: ReadonlyMap<string, SeriesDimensions>): Promise<SeriesIds>;
  /** To be called once the transaction has committed: only then do the ids exist for good. */
  remember(ids: SeriesIds): void;
};

const FIND = {
  name: 'weir-find-series',
  text: "SELECT encode(hash, 'hex') AS hash, id::text AS id FROM usage_series WHERE hash = ANY($1::bytea[])",
};

const COLUMNS = Object.entries(SERIES_COLUMNS);

const ADD = {
  name: 'weir-add-series',
  text: `INSERT INTO usage_series (hash, ${COLUMNS.map(([name]) => name).join(', ')})
    SELECT * FROM unnest($1::bytea[], ${COLUMNS.map(([, { type }], at) => `$${at + 2}::${type}[]`).join(', ')})
    ON CONFLICT (hash) DO NOTHING`,
};

type Unresolved = { readonly identity: string; readonly hash: string; readonly series: SeriesDimensions };

const CACHED_MAX = 100_000;

export function createSeriesDirectory(): SeriesDirectory {
  const cached = new Map<string, string>();
  return {
    resolve: async (client, series) => {
      const ids = new Map<string, string>();
      const unresolved: Unresolved[] = [];
      for (const [identity, dimensions] of series) {
        const id = cached.get(identity);
        if (id !== undefined) ids.set(identity, id);
        else unresolved.push({ identity, hash: hashIdentity(identity), series: dimensions });
      }
      await findSeries(client, unresolved, ids);
      const missing = unresolved.filter(({ identity }) => !ids.has(identity));
      if (missing.length > 0) {
        await addSeries(client, missing);
        await findSeries(client, missing, ids);
      }
      return ids;
    },
    remember: (ids) => {
      // Series are few and their ids for ever; starting over is cheaper than keeping an order of use.
      if (cached.size + ids.size > CACHED_MAX) cached.clear();
      for (const [identity, id] of ids) cached.set(identity, id);
    },
  };
}

/** Of series that are known; what is not found is left out. */
export async function findSeriesIds(client: PoolClient, series: ReadonlyMap<string, SeriesDimensions>): Promise<SeriesIds> {
  const ids = new Map<string, string>();
  const wanted = [...series].map(([identity, dimensions]) => ({ identity, hash: hashIdentity(identity), series: dimensions }));
  await findSeries(client, wanted, ids);
  return ids;
}

function hashIdentity(identity: string): string {
  return createHash('sha256').update(identity).digest('hex');
}

async function findSeries(client: PoolClient, wanted: readonly Unresolved[], ids: Map<string, string>): Promise<void> {
  if (wanted.length === 0) return;
  const { rows } = await client.query<{ hash: string; id: string }>({ ...FIND, values: [byteaLiteral(wanted)] });
  const found = new Map(rows.map((row) => [row.hash, row.id]));
  for (const { identity, hash } of wanted) {
    const id = found.get(hash);
    if (id !== undefined) ids.set(identity, id);
  }
}

/** In the order of hashes, so that two batches which add the same series never wait for each other. */
async function addSeries(client: PoolClient, missing: readonly Unresolved[]): Promise<void> {
  const ordered = [...missing].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const all = ordered.map(({ series }) => series);
  await client.query({
    ...ADD,
    values: [byteaLiteral(ordered), ...COLUMNS.map(([, { bind }]) => bind(all))],
  });
}

function byteaLiteral(rows: readonly Unresolved[]): string {
  return arrayLiteral(rows.map(({ hash }) => `"\\\\x${hash}"`));
}
