-- Which days of organizations were exported as files, at which revision, and who is at work on them.

-- CreateTable
CREATE TABLE "usage_file_export" (
    "org_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'writing',
    "attempt" BIGINT NOT NULL DEFAULT 0,
    "fingerprint" TEXT,
    "as_of" TIMESTAMPTZ(3),
    "files" JSONB NOT NULL DEFAULT '[]',
    "manifest" TEXT,
    "manifest_key" TEXT,
    "manifest_sha256" TEXT,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_file_export_pkey" PRIMARY KEY ("org_id","day","revision")
);

-- CreateIndex
CREATE INDEX "usage_file_export_day_idx" ON "usage_file_export"("day");

-- What Prisma's schema language cannot say
ALTER TABLE "usage_file_export"
    ADD CONSTRAINT "usage_file_export_state_check" CHECK ("state" IN ('writing', 'sealed', 'published')),
    ADD CONSTRAINT "usage_file_export_sealed_check" CHECK ("state" = 'writing' OR ("manifest_key" IS NOT NULL AND "manifest_sha256" IS NOT NULL));
-- One revision of a day is at work at a time, whatever else goes wrong
CREATE UNIQUE INDEX "usage_file_export_unpublished_key" ON "usage_file_export"("org_id", "day") WHERE "state" <> 'published';

ALTER TABLE "usage_file_export" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "usage_file_export" USING (org_id = current_organization_id());
