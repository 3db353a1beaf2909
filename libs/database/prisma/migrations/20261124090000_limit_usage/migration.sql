-- What limits have counted: what their counters start from.

-- CreateTable
CREATE TABLE "limit_usage" (
    "org_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "limit_id" UUID NOT NULL,
    "used" DECIMAL(38,0) NOT NULL,
    "version" BIGINT NOT NULL,
    "window_start" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "limit_usage_pkey" PRIMARY KEY ("org_id","scope")
);

-- CreateIndex
CREATE INDEX "limit_usage_limit_id_window_start_idx" ON "limit_usage"("limit_id", "window_start");

-- CreateIndex
CREATE INDEX "limit_usage_expires_at_idx" ON "limit_usage"("expires_at");

-- Rows are counted up for every batch: what is left of a page lets them stay on it.
ALTER TABLE "limit_usage" SET (fillfactor = 70);

ALTER TABLE "limit_usage" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "limit_usage" USING (org_id = current_organization_id());

-- Limits are rules of an organization, beside policies, aliases and guardrails.
ALTER TABLE "organization_rule"
    DROP CONSTRAINT "organization_rule_kind_check",
    ADD CONSTRAINT "organization_rule_kind_check" CHECK ("kind" IN ('policy', 'alias', 'guardrail', 'limit'));
