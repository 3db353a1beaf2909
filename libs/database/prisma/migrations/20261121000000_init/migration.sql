-- CreateTable
CREATE TABLE "organization" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "tier" TEXT NOT NULL DEFAULT 'free',
    "budget_mode" TEXT NOT NULL DEFAULT 'global',
    "data_residency" TEXT,
    "zero_data_retention" BOOLEAN NOT NULL DEFAULT false,
    "approved_models" JSONB,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_account" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "idp_subject" TEXT,
    "email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "org_member" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "status" TEXT NOT NULL DEFAULT 'active',
    "offboarded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "org_member_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "user_group" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "monthly_limit_pico" DECIMAL(38,0),
    "monthly_budget_pico" DECIMAL(38,0),
    "budget_per_user_pico" DECIMAL(38,0),
    "label_set_id" UUID,
    "access_list_id" UUID,
    "created_by" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_member" (
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "monthly_limit_pico" DECIMAL(38,0),
    "monthly_budget_pico" DECIMAL(38,0),
    "rate_limit_rpm" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_member_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "pepper_version" INTEGER NOT NULL DEFAULT 1,
    "prefix" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "perm_manage" TEXT NOT NULL DEFAULT 'none',
    "perm_completions" TEXT NOT NULL DEFAULT 'write',
    "monthly_limit_pico" DECIMAL(38,0),
    "label_set_id" UUID,
    "access_list_id" UUID,
    "group_id" UUID,
    "user_id" UUID,
    "created_by" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "previous_hash" BYTEA,
    "previous_hash_expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label_set" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "sha256" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "label_set_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_list" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "auto_approve" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_list_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_list_entry" (
    "list_id" UUID NOT NULL,
    "modality" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "pattern" TEXT NOT NULL,

    CONSTRAINT "access_list_entry_pkey" PRIMARY KEY ("list_id","modality","position")
);

-- CreateTable
CREATE TABLE "config_change" (
    "sequence" BIGSERIAL NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "config_change_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "sequence" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "action" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "target_id" TEXT,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT,
    "ip" TEXT,
    "previous_hash" BYTEA,
    "hash" BYTEA,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "usage_writer" (
    "writer_id" UUID NOT NULL,
    "seen" int8multirange NOT NULL DEFAULT '{}'::int8multirange,
    "last_epoch" INTEGER NOT NULL DEFAULT 0,
    "first_gap_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_writer_pkey" PRIMARY KEY ("writer_id")
);

-- CreateTable
CREATE TABLE "usage_offset" (
    "topic" TEXT NOT NULL,
    "partition" INTEGER NOT NULL,
    "next_offset" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_offset_pkey" PRIMARY KEY ("topic","partition")
);

-- CreateTable
CREATE TABLE "usage_dead_letter" (
    "id" BIGSERIAL NOT NULL,
    "writer_id" UUID,
    "seq" BIGINT,
    "reason" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replayed_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_dead_letter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_event" (
    "writer_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "admitted_at" TIMESTAMPTZ(3) NOT NULL,
    "time_clamped" BOOLEAN NOT NULL DEFAULT false,
    "payload" JSON NOT NULL,

    CONSTRAINT "usage_event_pkey" PRIMARY KEY ("writer_id","seq")
);

-- CreateTable
CREATE TABLE "usage_series" (
    "id" BIGSERIAL NOT NULL,
    "org_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "api_key_id" UUID NOT NULL,
    "user_id" UUID,
    "group_id" UUID,
    "model_requested" TEXT NOT NULL,
    "model_used" TEXT NOT NULL,
    "provider_used" TEXT NOT NULL,
    "is_byok" BOOLEAN NOT NULL,
    "origin_title" TEXT,
    "end_user_id" TEXT,
    "key_label_set_id" UUID,
    "group_label_set_id" UUID,
    "endpoint" TEXT NOT NULL,
    "modality" TEXT NOT NULL,
    "extra" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "usage_series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_hour" (
    "org_id" UUID NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "series_id" BIGINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "attempts" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "audio_in_tokens" BIGINT NOT NULL,
    "audio_out_tokens" BIGINT NOT NULL,
    "searches" BIGINT NOT NULL,
    "images" BIGINT NOT NULL,
    "chars" BIGINT NOT NULL,
    "audio_ms" BIGINT NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,
    "billed_pico" DECIMAL(38,0) NOT NULL,
    "duration_ms" BIGINT NOT NULL,
    "ttft_ms" BIGINT NOT NULL,
    "ttft_count" BIGINT NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("org_id","period_start","series_id")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "org_id" UUID NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "series_id" BIGINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "attempts" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "audio_in_tokens" BIGINT NOT NULL,
    "audio_out_tokens" BIGINT NOT NULL,
    "searches" BIGINT NOT NULL,
    "images" BIGINT NOT NULL,
    "chars" BIGINT NOT NULL,
    "audio_ms" BIGINT NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,
    "billed_pico" DECIMAL(38,0) NOT NULL,
    "duration_ms" BIGINT NOT NULL,
    "ttft_ms" BIGINT NOT NULL,
    "ttft_count" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("org_id","period_start","series_id")
);

-- CreateTable
CREATE TABLE "usage_month" (
    "org_id" UUID NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "series_id" BIGINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "attempts" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "audio_in_tokens" BIGINT NOT NULL,
    "audio_out_tokens" BIGINT NOT NULL,
    "searches" BIGINT NOT NULL,
    "images" BIGINT NOT NULL,
    "chars" BIGINT NOT NULL,
    "audio_ms" BIGINT NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,
    "billed_pico" DECIMAL(38,0) NOT NULL,
    "duration_ms" BIGINT NOT NULL,
    "ttft_ms" BIGINT NOT NULL,
    "ttft_count" BIGINT NOT NULL,

    CONSTRAINT "usage_month_pkey" PRIMARY KEY ("org_id","period_start","series_id")
);

-- CreateTable
CREATE TABLE "spend_month" (
    "scope" TEXT NOT NULL,
    "scope_id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,
    "requests" BIGINT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "spend_month_pkey" PRIMARY KEY ("scope","scope_id","month")
);

-- CreateTable
CREATE TABLE "ledger_account" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "balance" DECIMAL(38,12) NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_tx" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "org_id" UUID NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ref" TEXT,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_tx_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "tx_id" UUID NOT NULL,
    "line" SMALLINT NOT NULL,
    "account_id" UUID NOT NULL,
    "amount" DECIMAL(38,12) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("tx_id","line")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_account_idp_subject_key" ON "user_account"("idp_subject");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account"("email");

-- CreateIndex
CREATE INDEX "org_member_user_id_idx" ON "org_member"("user_id");

-- CreateIndex
CREATE INDEX "user_group_access_list_id_idx" ON "user_group"("access_list_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_group_organization_id_name_key" ON "user_group"("organization_id", "name");

-- CreateIndex
CREATE INDEX "group_member_user_id_idx" ON "group_member"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_created_at_idx" ON "api_key"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "api_key_group_id_idx" ON "api_key"("group_id");

-- CreateIndex
CREATE INDEX "api_key_access_list_id_idx" ON "api_key"("access_list_id");

-- CreateIndex
CREATE INDEX "api_key_created_by_idx" ON "api_key"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "label_set_organization_id_kind_sha256_key" ON "label_set"("organization_id", "kind", "sha256");

-- CreateIndex
CREATE INDEX "access_list_organization_id_created_at_idx" ON "access_list"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_log_organization_id_sequence_idx" ON "audit_log"("organization_id", "sequence");

-- CreateIndex
CREATE INDEX "usage_dead_letter_received_at_idx" ON "usage_dead_letter"("received_at");

-- CreateIndex
CREATE INDEX "usage_event_org_id_request_id_idx" ON "usage_event"("org_id", "request_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_series_hash_key" ON "usage_series"("hash");

-- CreateIndex
CREATE INDEX "usage_series_org_id_api_key_id_idx" ON "usage_series"("org_id", "api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_account_org_id_kind_currency_key" ON "ledger_account"("org_id", "kind", "currency");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_tx_idempotency_key_key" ON "ledger_tx"("idempotency_key");

-- CreateIndex
CREATE INDEX "ledger_tx_org_id_effective_at_idx" ON "ledger_tx"("org_id", "effective_at");

-- CreateIndex
CREATE INDEX "ledger_entry_account_id_idx" ON "ledger_entry"("account_id");

-- AddForeignKey
ALTER TABLE "org_member" ADD CONSTRAINT "org_member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "org_member" ADD CONSTRAINT "org_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_group" ADD CONSTRAINT "user_group_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_group" ADD CONSTRAINT "user_group_label_set_id_fkey" FOREIGN KEY ("label_set_id") REFERENCES "label_set"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_group" ADD CONSTRAINT "user_group_access_list_id_fkey" FOREIGN KEY ("access_list_id") REFERENCES "access_list"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_label_set_id_fkey" FOREIGN KEY ("label_set_id") REFERENCES "label_set"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_access_list_id_fkey" FOREIGN KEY ("access_list_id") REFERENCES "access_list"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_group"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "user_account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_set" ADD CONSTRAINT "label_set_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_list" ADD CONSTRAINT "access_list_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_list_entry" ADD CONSTRAINT "access_list_entry_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "access_list"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_tx_id_fkey" FOREIGN KEY ("tx_id") REFERENCES "ledger_tx"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "ledger_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

-- Words a column may hold
ALTER TABLE "organization"
    ADD CONSTRAINT "organization_status_check" CHECK ("status" IN ('active', 'suspended', 'closed')),
    ADD CONSTRAINT "organization_tier_check" CHECK ("tier" IN ('free', 'paying')),
    ADD CONSTRAINT "organization_budget_mode_check" CHECK ("budget_mode" IN ('global', 'group')),
    ADD CONSTRAINT "organization_data_residency_check" CHECK ("data_residency" IN ('eu', 'us', 'ap'));
ALTER TABLE "org_member"
    ADD CONSTRAINT "org_member_role_check" CHECK ("role" IN ('owner', 'admin', 'member')),
    ADD CONSTRAINT "org_member_status_check" CHECK ("status" IN ('active', 'offboarded'));
ALTER TABLE "group_member"
    ADD CONSTRAINT "group_member_role_check" CHECK ("role" IN ('admin', 'member')),
    ADD CONSTRAINT "group_member_rate_limit_check" CHECK ("rate_limit_rpm" > 0);
ALTER TABLE "api_key"
    ADD CONSTRAINT "api_key_status_check" CHECK ("status" IN ('active', 'revoked')),
    ADD CONSTRAINT "api_key_perm_manage_check" CHECK ("perm_manage" IN ('none', 'read', 'write')),
    ADD CONSTRAINT "api_key_perm_completions_check" CHECK ("perm_completions" IN ('none', 'read', 'write')),
    ADD CONSTRAINT "api_key_hash_check" CHECK (octet_length("hash") = 32),
    ADD CONSTRAINT "api_key_overlap_check" CHECK (("previous_hash" IS NULL) = ("previous_hash_expires_at" IS NULL));
ALTER TABLE "label_set"
    ADD CONSTRAINT "label_set_kind_check" CHECK ("kind" IN ('key', 'group'));
ALTER TABLE "access_list_entry"
    ADD CONSTRAINT "access_list_entry_modality_check" CHECK ("modality" IN ('chat', 'embedding', 'image', 'speech', 'transcription'));
ALTER TABLE "ledger_entry"
    ADD CONSTRAINT "ledger_entry_amount_check" CHECK ("amount" <> 0);

-- Rollup rows of the current period are updated all the time: room on the page keeps those updates off the indexes
ALTER TABLE "usage_hour" SET (fillfactor = 80);
ALTER TABLE "usage_day" SET (fillfactor = 80);
ALTER TABLE "usage_month" SET (fillfactor = 80);
ALTER TABLE "spend_month" SET (fillfactor = 50);
ALTER TABLE "usage_writer" SET (fillfactor = 50);
ALTER TABLE "usage_offset" SET (fillfactor = 50);
ALTER TABLE "ledger_account" SET (fillfactor = 50);

-- Every ledger transaction sums to zero when it commits
CREATE FUNCTION "ledger_check_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    total numeric(38, 12);
BEGIN
    SELECT sum("amount") INTO total FROM "ledger_entry" WHERE "tx_id" = NEW."tx_id";
    IF total <> 0 THEN
        RAISE EXCEPTION 'ledger transaction % does not balance: %', NEW."tx_id", total;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_entry_balance" AFTER INSERT ON "ledger_entry"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_check_balance"();

-- What happened stays as it was written
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "ledger_entry_immutable" BEFORE UPDATE OR DELETE ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_tx_immutable" BEFORE UPDATE OR DELETE ON "ledger_tx" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_log_immutable" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "label_set_immutable" BEFORE UPDATE ON "label_set" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
