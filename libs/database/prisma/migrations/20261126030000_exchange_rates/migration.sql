-- What USD are worth in other currencies, by day, as the operator loads it.

-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "is_operator" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "exchange_rate" (
    "base" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "rate" DECIMAL(38,18) NOT NULL,
    "source" TEXT,
    "loaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "exchange_rate_pkey" PRIMARY KEY ("base","currency","day")
);

-- CreateIndex
CREATE INDEX "exchange_rate_currency_day_idx" ON "exchange_rate"("currency", "day");

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "exchange_rate" ADD CONSTRAINT "exchange_rate_rate_check" CHECK ("rate" > 0);
ALTER TABLE "exchange_rate" ADD CONSTRAINT "exchange_rate_day_check" CHECK ("day" ~ '^\d{4}-\d{2}-\d{2}$');

-- Every organization reads them; of those that are walled in, only the operator's writes them.
CREATE OR REPLACE FUNCTION "refuse_all_but_operator"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_organization_id() IS NOT NULL
        AND NOT EXISTS (SELECT FROM organization o WHERE o.id = current_organization_id() AND o.is_operator) THEN
        RAISE EXCEPTION 'only the organization of the operator may write %', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "exchange_rate_of_operator" BEFORE INSERT OR UPDATE ON "exchange_rate"
    FOR EACH ROW EXECUTE FUNCTION "refuse_all_but_operator"();
