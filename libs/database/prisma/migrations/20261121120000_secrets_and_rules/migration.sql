-- AlterTable
ALTER TABLE "access_list_entry" ADD COLUMN     "matched" JSONB;

-- CreateTable
CREATE TABLE "org_dek" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "kek_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "org_dek_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_credential" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "tag" BYTEA NOT NULL,
    "dek_id" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "last4" TEXT NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_rule" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_rule_version" (
    "rule_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_rule_version_pkey" PRIMARY KEY ("rule_id","version")
);

-- CreateIndex
CREATE INDEX "org_dek_organization_id_created_at_idx" ON "org_dek"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "org_dek_kek_id_idx" ON "org_dek"("kek_id");

-- CreateIndex
CREATE INDEX "provider_credential_organization_id_created_at_idx" ON "provider_credential"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "provider_credential_dek_id_idx" ON "provider_credential"("dek_id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_credential_organization_id_provider_name_key" ON "provider_credential"("organization_id", "provider", "name");

-- CreateIndex
CREATE INDEX "organization_rule_organization_id_kind_created_at_idx" ON "organization_rule"("organization_id", "kind", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "organization_rule_organization_id_kind_name_key" ON "organization_rule"("organization_id", "kind", "name");

-- CreateIndex
CREATE INDEX "organization_rule_version_organization_id_kind_name_idx" ON "organization_rule_version"("organization_id", "kind", "name");

-- AddForeignKey
ALTER TABLE "org_dek" ADD CONSTRAINT "org_dek_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_credential" ADD CONSTRAINT "provider_credential_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_credential" ADD CONSTRAINT "provider_credential_dek_id_fkey" FOREIGN KEY ("dek_id") REFERENCES "org_dek"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_rule" ADD CONSTRAINT "organization_rule_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "provider_credential"
    ADD CONSTRAINT "provider_credential_mode_check" CHECK ("mode" IN ('prefer', 'only')),
    ADD CONSTRAINT "provider_credential_nonce_check" CHECK (octet_length("nonce") = 12),
    ADD CONSTRAINT "provider_credential_tag_check" CHECK (octet_length("tag") = 16),
    ADD CONSTRAINT "provider_credential_last4_check" CHECK (length("last4") <= 4);
ALTER TABLE "organization_rule"
    ADD CONSTRAINT "organization_rule_kind_check" CHECK ("kind" IN ('policy', 'alias', 'guardrail'));

CREATE TRIGGER "organization_rule_version_immutable" BEFORE UPDATE OR DELETE ON "organization_rule_version"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
