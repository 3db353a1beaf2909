import { invariant } from '@weir/errors';

/** Whom one organization's requests are carried out as. It owns nothing and cannot log in, so policies hold for it. */
export const TENANT_ROLE = 'weir_tenant';

/** The setting that policies read. */
const ORGANIZATION_SETTING = 'weir.org_id';

const READ = ['SELECT'];
const ADD = ['SELECT', 'INSERT'];
const CHANGE = ['SELECT', 'INSERT', 'UPDATE'];
const KEEP = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Its rows are of no organization. A trigger lets tenants write them in the operator's organization only. */
const EXCHANGE_RATE = ['base', 'currency', 'day', 'rate', 'source', 'loaded_at'];

/**
 * What requests of an organization need of each table, and nothing more; `UPDATE version` is of that column alone. Each
 * table has a policy, but for the last three: they belong to no organization, and say how far counting is, or what money is worth. Partitions are
 * absent on purpose: a query that names one goes around the policy of its table.
 */
export const TENANT_PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  organization: ['SELECT', 'UPDATE'],
  user_account: ['SELECT', 'UPDATE idp_subject', 'UPDATE updated_at'],
  user_identity: ['SELECT', 'DELETE'],
  org_member: CHANGE,
  user_group: KEEP,
  group_member: KEEP,
  api_key: CHANGE,
  label_set: ADD,
  access_list: KEEP,
  access_list_entry: KEEP,
  org_dek: ADD,
  provider_credential: KEEP,
  organization_rule: KEEP,
  organization_rule_version: ADD,
  configuration_object: KEEP,
  finance_document: ADD,
  invoice: ADD,
  month_close: CHANGE,
  month_close_line: ADD,
  invoice_series: CHANGE,
  config_change: ['INSERT'],
  config_change_sequence_seq: ['USAGE'],
  audit_log: ADD,
  audit_log_sequence_seq: ['USAGE'],
  log_anchor: READ,
  idempotency_record: KEEP,
  offboard_job: KEEP,
  request_content: READ,
  request_refusal: READ,
  rerate_organization: READ,
  ledger_account: READ,
  ledger_tx: READ,
  ledger_entry: READ,
  ledger_credit: READ,
  auto_top_up: CHANGE,
  alert: KEEP,
  alert_firing: ADD,
  spend_month: READ,
  limit_usage: READ,
  usage_event: READ,
  usage_series: READ,
  usage_hour: READ,
  usage_day: READ,
  usage_month: READ,
  usage_cube: READ,
  usage_cube_day: READ,
  usage_bound_met: READ,
  usage_extra_field: READ,
  usage_extra_value: READ,
  usage_file_export: READ,
  usage_writer: ['SELECT updated_at', 'SELECT first_gap_at'],
  usage_dead_letter: ['SELECT replayed_at', 'SELECT dismissed_at'],
  exchange_rate: EXCHANGE_RATE.flatMap((column) => [`SELECT ${column}`, `INSERT ${column}`, `UPDATE ${column}`]),
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One statement that puts the rest of a transaction behind the wall; it ends with the transaction, pooled connection or not. */
export function enterSql(organizationId: string): string {
  invariant(UUID.test(organizationId), 'an organization has a UUID');
  return `SELECT set_config('${ORGANIZATION_SETTING}', '${organizationId}', true), set_config('role', '${TENANT_ROLE}', true)`;
}
