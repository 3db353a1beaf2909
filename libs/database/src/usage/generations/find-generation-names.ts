import type { UsageEvent } from '@weir/contracts';
import type { GenerationNames } from '@weir/usage';
import type { Pool } from 'pg';
import { runAsOrganization } from '../../tenancy/organization-database';

/** One row, whatever of it is there. */
const FIND_NAMES = {
  name: 'weir-generation-names',
  text: `SELECT (SELECT name FROM api_key WHERE organization_id = $1::uuid AND id = $2::uuid) AS api_key,
    (SELECT u.email FROM user_account u JOIN org_member m ON m.user_id = u.id WHERE m.organization_id = $1::uuid AND u.id = $3::uuid) AS member,
    (SELECT name FROM user_group WHERE organization_id = $1::uuid AND id = $4::uuid) AS "group",
    (SELECT labels FROM label_set WHERE organization_id = $1::uuid AND id = $5::uuid) AS key_labels,
    (SELECT labels FROM label_set WHERE organization_id = $1::uuid AND id = $6::uuid) AS group_labels`,
};

type Row = {
  readonly api_key: string | null;
  readonly member: string | null;
  readonly group: string | null;
  readonly key_labels: Record<string, string> | null;
  readonly group_labels: Record<string, string> | null;
};

export async function findGenerationNames(pool: Pool, event: UsageEvent): Promise<GenerationNames> {
  const { org_id: organizationId } = event;
  const values = [organizationId, event.api_key_id, event.user_id, event.group_id, event.key_label_set_id, event.group_label_set_id];
  const { rows } = await runAsOrganization(pool, { organizationId }, (client) => client.query<Row>({ ...FIND_NAMES, values }));
  const found = rows[0];
  return {
    apiKey: found?.api_key ?? null,
    memberEmail: found?.member ?? null,
    group: found?.group ?? null,
    keyLabels: found?.key_labels ?? {},
    groupLabels: found?.group_labels ?? {},
  };
}
