import { createHash } from 'node:crypto';
import type { SeriesDimensions } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral, nullableArrayLiteral } from '../../postgres/array-literal';

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

const ADD = {
  name: 'weir-add-series',
  text: `INSERT INTO usage_series (hash, org_id, api_key_id, user_id, group_id, key_label_set_id, group_label_set_id, is_byok,
      model_requested, model_used, provider_used, origin_title, end_user_id, endpoint, modality, extra)
    SELECT * FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::boolean[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::jsonb[])
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
    values: [
      byteaLiteral(ordered),
      arrayLiteral(all.map((series) => series.organizationId)),
      arrayLiteral(all.map((series) => series.apiKeyId)),
      nullableArrayLiteral(all.map((series) => series.userId)),
      nullableArrayLiteral(all.map((series) => series.groupId)),
      nullableArrayLiteral(all.map((series) => series.keyLabelSetId)),
      nullableArrayLiteral(all.map((series) => series.groupLabelSetId)),
      arrayLiteral(all.map((series) => String(series.isByok))),
      all.map((series) => series.modelRequested),
      all.map((series) => series.modelUsed),
      all.map((series) => series.providerUsed),
      all.map((series) => series.originTitle),
      all.map((series) => series.endUserId),
      all.map((series) => series.endpoint),
      all.map((series) => series.modality),
      all.map((series) => JSON.stringify(Object.fromEntries(series.extra))),
    ],
  });
}

function byteaLiteral(rows: readonly Unresolved[]): string {
  return arrayLiteral(rows.map(({ hash }) => `"\\\\x${hash}"`));
}
