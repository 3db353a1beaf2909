-- CreateTable
CREATE TABLE "auto_top_up" (
    "org_id" UUID NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "threshold_pico" DECIMAL(38,0) NOT NULL,
    "amount_pico" DECIMAL(38,0) NOT NULL,
    "monthly_cap_pico" DECIMAL(38,0) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auto_top_up_pkey" PRIMARY KEY ("org_id")
);

-- CreateTable
CREATE TABLE "top_up_charge" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "amount_pico" DECIMAL(38,0) NOT NULL,
    "status" TEXT NOT NULL,
    "reference" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "top_up_charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "scope_id" TEXT NOT NULL,
    "percentage" DECIMAL(7,3),
    "amount_pico" DECIMAL(38,0),
    "url" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "tag" BYTEA NOT NULL,
    "dek_id" UUID NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_firing" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "alert_id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "value_pico" DECIMAL(38,0) NOT NULL,
    "threshold_pico" DECIMAL(38,0) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_result" TEXT,
    "fired_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_firing_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ledger_tx_org_id_kind_effective_at_idx" ON "ledger_tx"("org_id", "kind", "effective_at");

-- CreateIndex
CREATE INDEX "top_up_charge_org_id_created_at_idx" ON "top_up_charge"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "alert_org_id_created_at_idx" ON "alert"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "alert_scope_scope_id_idx" ON "alert"("scope", "scope_id");

-- CreateIndex
CREATE INDEX "alert_firing_status_next_attempt_at_idx" ON "alert_firing"("status", "next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_firing_alert_id_period_key" ON "alert_firing"("alert_id", "period");

-- AddForeignKey
ALTER TABLE "alert_firing" ADD CONSTRAINT "alert_firing_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot say
ALTER TABLE "auto_top_up"
    ADD CONSTRAINT "auto_top_up_amounts_check" CHECK ("threshold_pico" >= 0 AND "amount_pico" > 0 AND "monthly_cap_pico" >= "amount_pico");
ALTER TABLE "top_up_charge"
    ADD CONSTRAINT "top_up_charge_status_check" CHECK ("status" IN ('pending', 'paid', 'declined'));
-- One charge of an organization at a time, whatever else goes wrong
CREATE UNIQUE INDEX "top_up_charge_pending_key" ON "top_up_charge"("org_id") WHERE "status" = 'pending';
ALTER TABLE "alert"
    ADD CONSTRAINT "alert_scope_check" CHECK ("scope" IN ('key', 'member', 'group', 'balance')),
    ADD CONSTRAINT "alert_threshold_check" CHECK (("percentage" IS NULL) <> ("amount_pico" IS NULL));
ALTER TABLE "alert_firing"
    ADD CONSTRAINT "alert_firing_status_check" CHECK ("status" IN ('pending', 'delivered', 'dead'));
