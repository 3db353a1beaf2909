-- Invoices and credit notes, numbered without gaps.

-- CreateTable
CREATE TABLE "invoice_series" (
    "organization_id" UUID NOT NULL,
    "series" TEXT NOT NULL,
    "last_number" INTEGER NOT NULL,

    CONSTRAINT "invoice_series_pkey" PRIMARY KEY ("organization_id","series")
);

-- CreateTable
CREATE TABLE "invoice" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "series" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "corrects_id" UUID,
    "month" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoice_corrects_id_key" ON "invoice"("corrects_id");

-- CreateIndex
CREATE INDEX "invoice_organization_id_created_at_idx" ON "invoice"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "invoice_organization_id_month_idx" ON "invoice"("organization_id", "month");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_organization_id_series_number_key" ON "invoice"("organization_id", "series", "number");

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "invoice" ADD CONSTRAINT "invoice_kind_check"
    CHECK (("kind" = 'invoice' AND "corrects_id" IS NULL) OR ("kind" = 'credit_note' AND "corrects_id" IS NOT NULL));

CREATE TRIGGER "invoice_immutable" BEFORE UPDATE OR DELETE ON "invoice" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "invoice_not_emptied" BEFORE TRUNCATE ON "invoice" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "invoice_series_not_emptied" BEFORE DELETE OR TRUNCATE ON "invoice_series" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A number follows the one before, and stands on an invoice when its transaction ends: there are no gaps and no second of it.
CREATE OR REPLACE FUNCTION "refuse_gap"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND NEW.last_number <> 1
        OR TG_OP = 'UPDATE' AND (NEW.last_number <> OLD.last_number + 1 OR NEW.series <> OLD.series OR NEW.organization_id <> OLD.organization_id) THEN
        RAISE EXCEPTION 'the numbers of invoices have no gaps' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "invoice_series_has_no_gap" BEFORE INSERT OR UPDATE ON "invoice_series" FOR EACH ROW EXECUTE FUNCTION "refuse_gap"();

CREATE OR REPLACE FUNCTION "refuse_unused_number"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM invoice i WHERE i.organization_id = NEW.organization_id AND i.series = NEW.series AND i.number = NEW.last_number) THEN
        RAISE EXCEPTION 'number % of the series % stands on no invoice', NEW.last_number, NEW.series USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "invoice_series_is_used" AFTER INSERT OR UPDATE ON "invoice_series"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "refuse_unused_number"();

CREATE OR REPLACE FUNCTION "refuse_free_number"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM invoice_series s WHERE s.organization_id = NEW.organization_id AND s.series = NEW.series AND s.last_number = NEW.number) THEN
        RAISE EXCEPTION 'an invoice has the next number of its series' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "invoice_has_next_number" BEFORE INSERT ON "invoice" FOR EACH ROW EXECUTE FUNCTION "refuse_free_number"();

ALTER TABLE "invoice_series" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "invoice_series" USING (organization_id = current_organization_id());
ALTER TABLE "invoice" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "invoice" USING (organization_id = current_organization_id());
