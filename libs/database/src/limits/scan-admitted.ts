import type { Modality, UsageUnits } from '@weir/contracts';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';
import type { OrganizationDatabase } from '../tenancy/organization-database';

/** One attempt of a request, as far as limits look at it. */
export type AdmittedAttempt = {
  readonly requestId: string;
  readonly admittedAtMs: number;
  readonly endedAtMs: number;
  readonly apiKeyId: string;
  readonly userId: string | null;
  readonly groupId: string | null;
  readonly keyLabelSetId: string | null;
  readonly groupLabelSetId: string | null;
  readonly endUserId: string | null;
  readonly isStream: boolean;
  readonly modality: Modality;
  readonly model: string;
  readonly provider: string;
  readonly isLogical: boolean;
  readonly costPico: string;
  readonly billedPico: string;
  readonly units: UsageUnits;
};

type Row = {
  readonly request_id: string;
  readonly admitted_ms: string;
  readonly ended_at: string;
  readonly api_key_id: string;
  readonly user_id: string | null;
  readonly group_id: string | null;
  readonly key_label_set_id: string | null;
  readonly group_label_set_id: string | null;
  readonly end_user_id: string | null;
  readonly stream: boolean | null;
  readonly modality: Modality;
  readonly model_used: string;
  readonly provider_used: string;
  readonly logical: boolean;
  readonly cost_p: string;
  readonly billed_p: string;
  readonly units: UsageUnits;
};

const COLUMNS = [
  ...['api_key_id', 'user_id', 'group_id', 'key_label_set_id', 'group_label_set_id', 'end_user_id', 'modality'].map(
    (name) => `${name} text`,
  ),
  ...['model_used text', 'provider_used text', 'cost_p text', 'billed_p text', 'attempt_no int', 'ended_at bigint'],
  ...['stream boolean', 'logical boolean', 'units json'],
];

const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${ANSWER_TIMEOUT_MS}; SET LOCAL jit = off`;
const DECLARE = `DECLARE admitted NO SCROLL CURSOR FOR
  SELECT u.request_id, floor(extract(epoch FROM u.admitted_at) * 1000)::text AS admitted_ms, e.*
  FROM usage_event u CROSS JOIN LATERAL json_to_record(u.payload) AS e(${COLUMNS.join(', ')})
  WHERE u.org_id = $1::uuid AND u.admitted_at >= $2 AND u.admitted_at < $3
  ORDER BY u.admitted_at, u.request_id, u.payload -> 'corrects' IS NOT NULL, e.attempt_no`;
/** Few enough that a process that serves requests as well is not held up. */
const ROWS_AT_ONCE = 500;

/**
 * All attempts of a range, and after those of a request what has corrected their cost, in the order in which their requests were admitted, those of a request one after the other, some at
 * a time: however many there are, few are in memory. `take` says whether it wants more. Returns whether it came to the end.
 */
export function scanAdmitted(
  own: OrganizationDatabase,
  { organizationId, startMs, endMs }: { readonly organizationId: string; readonly startMs: number; readonly endMs: number },
  take: (attempts: readonly AdmittedAttempt[]) => boolean,
): Promise<boolean> {
  return own.run(async (client) => {
    await client.query(DECLARE, [organizationId, new Date(startMs), new Date(endMs)]);
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${ROWS_AT_ONCE} FROM admitted`);
      const wantsMore = take(rows.map(decode));
      if (rows.length < ROWS_AT_ONCE) return true;
      if (!wantsMore) return false;
    }
  }, BEGIN);
}

function decode(row: Row): AdmittedAttempt {
  return {
    requestId: row.request_id,
    admittedAtMs: Number(row.admitted_ms),
    endedAtMs: Number(row.ended_at),
    apiKeyId: row.api_key_id,
    userId: row.user_id,
    groupId: row.group_id,
    keyLabelSetId: row.key_label_set_id,
    groupLabelSetId: row.group_label_set_id,
    endUserId: row.end_user_id,
    isStream: row.stream === true,
    modality: row.modality,
    model: row.model_used,
    provider: row.provider_used,
    isLogical: row.logical,
    costPico: row.cost_p,
    billedPico: row.billed_p,
    units: row.units,
  };
}
