import type { BytesSealer, Vault } from '@weir/sealing';
import type { Pool } from 'pg';
import { runInTransaction } from '../postgres/run-in-transaction';
import { encodeContents, type RequestContents } from './encode-contents';

/** Contents of one request on their way into the database. */
export type NewContents = {
  readonly organizationId: string;
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly userId: string | null;
  /** UTC epoch milliseconds. */
  readonly receivedAtMs: number;
  readonly days: number;
  readonly contents: RequestContents;
};

type KeepParts = { readonly pool: Pool; readonly vault: Pick<Vault, 'openSealer'> };

/** A request is served once and has one row; a batch that is tried again finds some there. */
const INSERT = {
  name: 'weir-keep-contents',
  text: `INSERT INTO request_content (organization_id, request_id, api_key_id, user_id, received_at, kept_until, dek_id, sealed)
    VALUES ($1, $2, $3, $4, to_timestamp($5::double precision / 1000),
      to_timestamp($5::double precision / 1000) + make_interval(hours => 24 * $6::int), $7, $8)
    ON CONFLICT DO NOTHING`,
};

/** Seals contents of several requests, each under the data key of its organization, and writes them in one transaction. */
export async function keepContents({ pool, vault }: KeepParts, batch: readonly NewContents[]): Promise<void> {
  const sealers = new Map<string, BytesSealer>();
  const rows: unknown[][] = [];
  for (const one of batch) {
    const { organizationId, requestId, apiKeyId, userId, receivedAtMs, days } = one;
    const sealer = sealers.get(organizationId) ?? (await vault.openSealer(organizationId));
    sealers.set(organizationId, sealer);
    const sealed = sealer.seal(await encodeContents(one.contents), requestId);
    rows.push([organizationId, requestId, apiKeyId, userId, receivedAtMs, days, sealer.dataKeyId, sealed]);
  }
  await runInTransaction(pool, async (client) => {
    for (const values of rows) await client.query({ ...INSERT, values });
  });
}
