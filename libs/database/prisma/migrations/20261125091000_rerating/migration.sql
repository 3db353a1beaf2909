-- Usage that was priced wrongly is priced again.

-- AlterTable
ALTER TABLE "ledger_tx" ADD COLUMN     "usage_hour" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "ledger_tx_usage_hour_idx" ON "ledger_tx" USING BRIN ("usage_hour");

-- CreateTable
CREATE TABLE "rerate" (
    "id" UUID NOT NULL,
    "model_used" TEXT NOT NULL,
    "provider_used" TEXT,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "price_version" TEXT NOT NULL,
    "to_price_version" TEXT NOT NULL,
    "for_org" UUID,
    "because" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "allows_debt" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "rerate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rerate_organization" (
    "org_id" UUID NOT NULL,
    "rerate_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "after_at" TIMESTAMPTZ(3),
    "after_writer" UUID,
    "after_seq" BIGINT,
    "corrected" BIGINT NOT NULL DEFAULT 0,
    "left_over" BIGINT NOT NULL DEFAULT 0,
    "cost_pico" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "billed_pico" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "lowered_pico" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "rerate_organization_pkey" PRIMARY KEY ("org_id","rerate_id")
);

-- CreateIndex
CREATE INDEX "rerate_state_idx" ON "rerate"("state");

-- CreateIndex
CREATE INDEX "rerate_organization_rerate_id_idx" ON "rerate_organization"("rerate_id");

-- AddForeignKey
ALTER TABLE "rerate_organization" ADD CONSTRAINT "rerate_organization_rerate_id_fkey" FOREIGN KEY ("rerate_id") REFERENCES "rerate"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "rerate" ADD CONSTRAINT "rerate_state_check" CHECK ("state" IN ('running', 'done'));
ALTER TABLE "rerate_organization"
    ADD CONSTRAINT "rerate_organization_state_check" CHECK ("state" IN ('waiting', 'running', 'corrected', 'done', 'refused'));

-- Both say what became of money.
CREATE TRIGGER "rerate_not_emptied" BEFORE DELETE OR TRUNCATE ON "rerate" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "rerate_organization_not_emptied" BEFORE DELETE OR TRUNCATE ON "rerate_organization"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "rerate_organization" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "rerate_organization" USING (org_id = current_organization_id());
