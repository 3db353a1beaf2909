-- What an installation changes in the catalogue of models, version by version, and what is proposed to it.

-- CreateTable
CREATE TABLE "catalog_version" (
    "id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "note" TEXT,
    "restores" BIGINT,
    "document" JSONB NOT NULL,
    "sheets" JSONB NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "catalog_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "catalog_proposal" (
    "id" BIGSERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "settled_by" TEXT,
    "outcome" TEXT CONSTRAINT "catalog_proposal_outcome_check" CHECK ("outcome" IN ('accepted', 'dismissed')),
    "catalog_version_id" BIGINT,

    CONSTRAINT "catalog_proposal_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "catalog_version" ADD CONSTRAINT "catalog_version_restores_fkey" FOREIGN KEY ("restores") REFERENCES "catalog_version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_proposal" ADD CONSTRAINT "catalog_proposal_catalog_version_id_fkey" FOREIGN KEY ("catalog_version_id") REFERENCES "catalog_version"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Usage events name prices of versions that were in force, so none ever goes.
CREATE TRIGGER "catalog_version_immutable" BEFORE UPDATE OR DELETE ON "catalog_version" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "catalog_version_not_emptied" BEFORE TRUNCATE ON "catalog_version" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Of the deployment, not of an organization: no tenant sees them.
ALTER TABLE "catalog_version" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "catalog_proposal" ENABLE ROW LEVEL SECURITY;
