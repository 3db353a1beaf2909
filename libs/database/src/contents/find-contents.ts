import type { Vault } from '@weir/sealing';
import type { Queryable } from '../tenancy/organization-database';
import { decodeContents, type RequestContents } from './encode-contents';

export type KeptContents = RequestContents & {
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly keptUntil: Date;
};

type FindParts = { readonly database: Queryable; readonly vault: Pick<Vault, 'openBytes'> };
type Asked = { readonly organizationId: string; readonly requestId: string; readonly nowMs: number };

/** What is past its time is not there, whether or not it was deleted yet; the same for what the organization does not want kept any more. */
const FIND = {
  name: 'weir-find-contents',
  text: `SELECT api_key_id AS "apiKeyId", user_id AS "userId", dek_id AS "dataKeyId", sealed, ends_at AS "keptUntil" FROM (
      SELECT c.*, o.zero_data_retention, least(c.kept_until,
        c.received_at + make_interval(hours => 24 * (o.settings ->> 'keep_contents_days')::int)) AS ends_at,
        (o.settings ->> 'keep_contents_days') IS NULL AS is_off
      FROM request_content c JOIN organization o ON o.id = c.organization_id
      WHERE c.organization_id = $1 AND c.request_id = $2) kept
    WHERE NOT zero_data_retention AND NOT is_off AND ends_at > to_timestamp($3::double precision / 1000)`,
};

type Row = {
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
  readonly keptUntil: Date;
};

/** Opens the contents of one request; undefined where none are kept. */
export async function findContents(
  { database, vault }: FindParts,
  { organizationId, requestId, nowMs }: Asked,
): Promise<KeptContents | undefined> {
  const { rows } = await database.query<Row>({ ...FIND, values: [organizationId, requestId, nowMs] });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { apiKeyId, userId, keptUntil, dataKeyId, sealed } = row;
  const bytes = await vault.openBytes({ organizationId, name: requestId, dataKeyId, sealed });
  return { apiKeyId, userId, keptUntil, ...(await decodeContents(bytes)) };
}
