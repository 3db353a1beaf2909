-- What finance people decide for an organization: rules of cost centres, price lists, settings of invoices, plans. Every version stays.

-- CreateTable
CREATE TABLE "finance_document" (
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "finance_document_pkey" PRIMARY KEY ("organization_id","kind","version")
);

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

CREATE TRIGGER "finance_document_immutable" BEFORE UPDATE OR DELETE ON "finance_document" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "finance_document_not_emptied" BEFORE TRUNCATE ON "finance_document" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "finance_document" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "finance_document" USING (organization_id = current_organization_id());
