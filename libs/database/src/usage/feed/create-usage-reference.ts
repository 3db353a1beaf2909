import type { Dimension, UsageReference } from '@weir/usage';
import type { Pool } from 'pg';
import { runAsOrganization } from '../../tenancy/organization-database';
import { readWarnings } from '../queries/read-warnings';
import { readFeedProgress } from './feed-lease';

const LABELS = 'SELECT id, labels ->> $3::text AS value FROM label_set WHERE organization_id = $1::uuid AND id = ANY($2::uuid[])';

/** Names and e-mails are today's, as in questions that Postgres replies to. Each takes organization, ids and label. */
const NAMES: Readonly<Record<NonNullable<Dimension['joined']>, string>> = {
  group_name:
    'SELECT id, name AS value FROM user_group WHERE organization_id = $1::uuid AND id = ANY($2::uuid[]) AND $3::text IS NOT DISTINCT FROM $3',
  member_email:
    'SELECT id, email AS value FROM user_account WHERE id = ANY($2::uuid[]) AND $1::uuid IS NOT NULL AND $3::text IS NOT DISTINCT FROM $3',
  key_labels: LABELS,
  group_labels: LABELS,
};

/** What the reader of a columnar store asks this database. */
export function createUsageReference(pool: Pool): UsageReference {
  return {
    readProgress: async () => {
      const progress = await readFeedProgress(pool);
      if (progress === undefined) return undefined;
      const { fed_ms, since_ms, counted_ms, written_run } = progress;
      return {
        fedAsOfMs: Number(fed_ms),
        sinceMs: Number(since_ms ?? 0),
        countedAsOfMs: Number(counted_ms ?? fed_ms),
        writtenRun: Number(written_run),
      };
    },
    findNames: ({ organizationId, joined, field, ids }) => {
      if (ids.length === 0) return Promise.resolve(new Map());
      return runAsOrganization(pool, { organizationId }, async (client) => {
        const { rows } = await client.query<{ id: string; value: string | null }>(NAMES[joined], [organizationId, ids, field]);
        return new Map(rows.flatMap(({ id, value }) => (value === null ? [] : [[id, value] as const])));
      });
    },
    readWarnings: (query) => runAsOrganization(pool, { organizationId: query.organizationId }, (client) => readWarnings(client, query)),
  };
}
