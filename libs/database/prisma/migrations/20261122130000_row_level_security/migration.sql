-- The second wall between organizations. What is asked under the role `weir_tenant` reaches rows of one organization only,
-- the one of the setting `weir.org_id`, whatever the query says; without the setting it reaches none. The owner of the
-- tables, as whom everything works that acts for all organizations and every earlier version does, is not held back:
-- nothing here says FORCE. Nor is a login that was given a table by hand and does not own it; one that is made later needs
-- BYPASSRLS, or to be a member of the owner. The role of tenants itself and its privileges are made after the migrations.
--
-- One table at a time: no transaction holds two of these locks. Can be repeated.

CREATE OR REPLACE FUNCTION "current_organization_id"() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('weir.org_id', true), '')::uuid $$;

-- People are known to the service by their address, whichever organization they came by: an organization adds somebody it
-- cannot see. Answers the id and nothing else; a name is given only to somebody new. Addresses come in lower case.
CREATE OR REPLACE FUNCTION "ensure_user_account"("address" text, "given_name" text, "family_name" text) RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    INSERT INTO user_account (email, first_name, last_name) VALUES (address, given_name, family_name)
        ON CONFLICT (email) DO NOTHING;
    SELECT id FROM user_account WHERE email = address;
$$;
REVOKE EXECUTE ON FUNCTION "ensure_user_account"(text, text, text) FROM PUBLIC;

-- `is_own`: of rows that may be seen, changed and left behind; `refers_to_own`: what rows that are left behind must be as well.
CREATE FUNCTION pg_temp.keep_apart(kept regclass, is_own text, refers_to_own text DEFAULT 'true') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    trusted text := (SELECT string_agg(DISTINCT a.grantee::regrole::text, ', ') FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = kept AND a.grantee NOT IN (0, c.relowner) AND a.grantee::regrole::text <> 'weir_tenant');
BEGIN
    EXECUTE format('DROP POLICY IF EXISTS own_organization ON %s', kept);
    EXECUTE format('CREATE POLICY own_organization ON %s USING (%s) WITH CHECK ((%s) AND %s)', kept, is_own, is_own, refers_to_own);
    EXECUTE format('DROP POLICY IF EXISTS all_organizations ON %s', kept);
    IF trusted IS NOT NULL THEN EXECUTE format('CREATE POLICY all_organizations ON %s TO %s USING (true)', kept, trusted); END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', kept);
END $$;

-- Organizations, people, groups.
BEGIN;
SELECT pg_temp.keep_apart('organization', 'id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('org_member', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('user_account', 'EXISTS (SELECT 1 FROM org_member m WHERE m.user_id = user_account.id)');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('user_group', 'organization_id = current_organization_id()',
    '(label_set_id IS NULL OR EXISTS (SELECT 1 FROM label_set l WHERE l.id = label_set_id))
        AND (access_list_id IS NULL OR EXISTS (SELECT 1 FROM access_list a WHERE a.id = access_list_id))');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('group_member', 'EXISTS (SELECT 1 FROM user_group g WHERE g.id = group_id)',
    'EXISTS (SELECT 1 FROM org_member m WHERE m.user_id = group_member.user_id)');
COMMIT;

-- Keys, labels, access lists.
BEGIN;
SELECT pg_temp.keep_apart('api_key', 'organization_id = current_organization_id()',
    '(group_id IS NULL OR EXISTS (SELECT 1 FROM user_group g WHERE g.id = group_id))
        AND (label_set_id IS NULL OR EXISTS (SELECT 1 FROM label_set l WHERE l.id = label_set_id))
        AND (access_list_id IS NULL OR EXISTS (SELECT 1 FROM access_list a WHERE a.id = access_list_id))');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('label_set', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('access_list', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('access_list_entry', 'EXISTS (SELECT 1 FROM access_list a WHERE a.id = list_id)');
COMMIT;

-- Secrets, rules, changes, work in progress.
BEGIN;
SELECT pg_temp.keep_apart('org_dek', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('provider_credential', 'organization_id = current_organization_id()',
    'EXISTS (SELECT 1 FROM org_dek d WHERE d.id = dek_id)');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('organization_rule', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('organization_rule_version', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('config_change', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('audit_log', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('idempotency_record', 'organization_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('offboard_job', 'organization_id = current_organization_id()');
COMMIT;

-- Money and limits. An organization has few accounts and many entries.
BEGIN;
SELECT pg_temp.keep_apart('ledger_account', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('ledger_tx', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('ledger_entry', 'account_id IN (SELECT a.id FROM ledger_account a)');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('ledger_credit', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('free_day', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('auto_top_up', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('top_up_charge', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('alert', 'org_id = current_organization_id()', 'EXISTS (SELECT 1 FROM org_dek d WHERE d.id = dek_id)');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('alert_firing', 'org_id = current_organization_id()');
COMMIT;

-- Usage. Partitions have no policy of their own and nobody but the owner may name them. What a member has spent is
-- counted over all of their organizations and is nobody's alone.
BEGIN;
SELECT pg_temp.keep_apart('usage_event', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_series', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_hour', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_day', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_month', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_cube', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_cube_day', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_extra_field', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_extra_value', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('usage_bound_met', 'org_id = current_organization_id()');
COMMIT; BEGIN;
SELECT pg_temp.keep_apart('spend_month', $$CASE scope
    WHEN 'organization' THEN scope_id = current_organization_id()::text
    WHEN 'key' THEN EXISTS (SELECT 1 FROM api_key k WHERE k.id = scope_id::uuid)
    WHEN 'group' THEN EXISTS (SELECT 1 FROM user_group g WHERE g.id = scope_id::uuid)
    WHEN 'group_member' THEN EXISTS (SELECT 1 FROM user_group g WHERE g.id = split_part(scope_id, '/', 1)::uuid)
    ELSE false END$$);
COMMIT;

DROP FUNCTION pg_temp.keep_apart(regclass, text, text);
