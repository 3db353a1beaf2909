-- CreateTable
CREATE TABLE "ledger_credit" (
    "tx_id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" DECIMAL(38,12) NOT NULL,
    "remaining" DECIMAL(38,12) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_credit_pkey" PRIMARY KEY ("tx_id")
);

-- CreateIndex
CREATE INDEX "ledger_credit_org_id_kind_idx" ON "ledger_credit"("org_id", "kind");

-- CreateIndex
CREATE INDEX "ledger_credit_expires_at_idx" ON "ledger_credit"("expires_at");

-- What Prisma's schema language cannot say
ALTER TABLE "ledger_credit"
    ADD CONSTRAINT "ledger_credit_kind_check" CHECK ("kind" IN ('gift', 'promo')),
    ADD CONSTRAINT "ledger_credit_remaining_check" CHECK ("remaining" >= 0 AND "remaining" <= "amount");
