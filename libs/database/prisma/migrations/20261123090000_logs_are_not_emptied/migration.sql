-- Rows of logs could not be changed or deleted one by one, but a whole table could be emptied with TRUNCATE. That is refused
-- too, and what each log must hold is counted beside it, so that a log which was emptied or cut short all the same (an owner
-- can disable triggers) is found by `weir audit verify` and `weir ledger verify`.
--
-- One table at a time: no transaction holds two of these locks. Can be repeated.

-- CreateTable
CREATE TABLE IF NOT EXISTS "log_anchor" (
    "organization_id" UUID NOT NULL,
    "log" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "newest_sequence" BIGINT,
    "newest_hash" BYTEA,

    CONSTRAINT "log_anchor_pkey" PRIMARY KEY ("organization_id","log")
);

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "log_anchor" SET (fillfactor = 50);
ALTER TABLE "log_anchor" ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_organization ON "log_anchor";
CREATE POLICY own_organization ON "log_anchor" USING (organization_id = current_organization_id());

-- The functions run as the owner of the tables: a tenant adds rows to its audit log and cannot touch the count of them.
CREATE OR REPLACE FUNCTION "count_audit_rows"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO log_anchor AS known (organization_id, log, rows, newest_sequence, newest_hash)
        SELECT DISTINCT ON (a.organization_id) a.organization_id, 'audit', count(*) OVER (PARTITION BY a.organization_id), a.sequence, a.hash
        FROM added a ORDER BY a.organization_id, a.sequence DESC
    ON CONFLICT (organization_id, log) DO UPDATE SET rows = known.rows + excluded.rows,
        newest_sequence = greatest(known.newest_sequence, excluded.newest_sequence),
        newest_hash = CASE WHEN excluded.newest_sequence > known.newest_sequence THEN excluded.newest_hash ELSE known.newest_hash END;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_ledger_transactions"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO log_anchor AS known (organization_id, log, rows)
        SELECT a.org_id, 'ledger', count(*) FROM added a GROUP BY a.org_id ORDER BY a.org_id
    ON CONFLICT (organization_id, log) DO UPDATE SET rows = known.rows + excluded.rows;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "refuse_lower_count"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.rows <= OLD.rows OR NEW.newest_sequence < OLD.newest_sequence THEN
        RAISE EXCEPTION 'rows of % are only ever added to', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;

-- Each log is counted as it stands in the transaction that begins to count what is added.
BEGIN;
CREATE OR REPLACE TRIGGER "audit_log_counted" AFTER INSERT ON "audit_log" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION "count_audit_rows"();
CREATE OR REPLACE TRIGGER "audit_log_not_emptied" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
INSERT INTO log_anchor (organization_id, log, rows, newest_sequence, newest_hash)
    SELECT DISTINCT ON (organization_id) organization_id, 'audit', count(*) OVER (PARTITION BY organization_id), sequence, hash
    FROM audit_log ORDER BY organization_id, sequence DESC ON CONFLICT DO NOTHING;
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "ledger_tx_counted" AFTER INSERT ON "ledger_tx" REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION "count_ledger_transactions"();
CREATE OR REPLACE TRIGGER "ledger_tx_not_emptied" BEFORE TRUNCATE ON "ledger_tx" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
INSERT INTO log_anchor (organization_id, log, rows) SELECT org_id, 'ledger', count(*) FROM ledger_tx GROUP BY org_id ON CONFLICT DO NOTHING;
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "ledger_entry_not_emptied" BEFORE TRUNCATE ON "ledger_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "ledger_account_not_emptied" BEFORE DELETE OR TRUNCATE ON "ledger_account" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "ledger_credit_not_emptied" BEFORE DELETE OR TRUNCATE ON "ledger_credit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "top_up_charge_not_emptied" BEFORE DELETE OR TRUNCATE ON "top_up_charge" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "label_set_not_emptied" BEFORE DELETE OR TRUNCATE ON "label_set" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "organization_rule_version_not_emptied" BEFORE TRUNCATE ON "organization_rule_version"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "log_anchor_not_emptied" BEFORE DELETE OR TRUNCATE ON "log_anchor" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
COMMIT; BEGIN;
CREATE OR REPLACE TRIGGER "log_anchor_grows" BEFORE UPDATE ON "log_anchor" FOR EACH ROW EXECUTE FUNCTION "refuse_lower_count"();
COMMIT;
