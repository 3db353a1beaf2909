import type { Queryable } from '../tenancy/organization-database';

/** What refuses to change, delete or empty what was written once, and counts it. Owners of the tables can disable triggers. */
const GUARDS = [
  'audit_log_counted',
  'audit_log_immutable',
  'audit_log_not_emptied',
  'catalog_version_immutable',
  'catalog_version_not_emptied',
  'finance_document_immutable',
  'finance_document_not_emptied',
  'invoice_has_next_number',
  'invoice_immutable',
  'invoice_not_emptied',
  'invoice_series_has_no_gap',
  'invoice_series_is_used',
  'invoice_series_not_emptied',
  'label_set_immutable',
  'label_set_not_emptied',
  'ledger_account_not_emptied',
  'ledger_credit_not_emptied',
  'ledger_entry_balance',
  'ledger_entry_immutable',
  'ledger_entry_not_emptied',
  'ledger_tx_counted',
  'ledger_tx_immutable',
  'ledger_tx_not_emptied',
  'log_anchor_grows',
  'log_anchor_not_emptied',
  'month_close_line_immutable',
  'month_close_line_not_emptied',
  'month_close_not_emptied',
  'month_close_only_reopens',
  'organization_rule_version_immutable',
  'organization_rule_version_not_emptied',
  'rerate_not_emptied',
  'rerate_organization_not_emptied',
  'top_up_charge_not_emptied',
];

const FIND_MISSING = `SELECT guard FROM unnest($1::text[]) AS guard WHERE NOT EXISTS (
    SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgname = guard AND t.tgenabled IN ('O', 'A') AND c.relnamespace = current_schema()::regnamespace) ORDER BY guard`;

/** Triggers that guard the logs and are dropped or disabled at this moment. */
export async function readMissingGuards(source: Queryable): Promise<readonly string[]> {
  const { rows } = await source.query<{ guard: string }>({ text: FIND_MISSING, values: [GUARDS] });
  return rows.map(({ guard }) => guard);
}
