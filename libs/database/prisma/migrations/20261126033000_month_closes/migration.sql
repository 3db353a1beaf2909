-- Months that are closed, and the figures that they were closed with.

-- CreateTable
CREATE TABLE "month_close" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "figures" JSONB NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reopened_at" TIMESTAMPTZ(3),
    "reopened_because" TEXT,

    CONSTRAINT "month_close_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "month_close_line" (
    "organization_id" UUID NOT NULL,
    "close_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "line" JSONB NOT NULL,

    CONSTRAINT "month_close_line_pkey" PRIMARY KEY ("close_id","ordinal")
);

-- CreateIndex
CREATE INDEX "month_close_organization_id_month_idx" ON "month_close"("organization_id", "month");

-- What Prisma's schema language cannot say follows; its drift check does not look at any of it.

ALTER TABLE "month_close" ADD CONSTRAINT "month_close_reopened_check" CHECK (("reopened_at" IS NULL) = ("reopened_because" IS NULL));

CREATE TRIGGER "month_close_not_emptied" BEFORE DELETE OR TRUNCATE ON "month_close" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "month_close_line_immutable" BEFORE UPDATE OR DELETE ON "month_close_line" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "month_close_line_not_emptied" BEFORE TRUNCATE ON "month_close_line" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Of a month that was closed, only that it was reopened can be written, once.
CREATE OR REPLACE FUNCTION "refuse_all_but_reopening"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.reopened_at IS NOT NULL OR NEW.reopened_at IS NULL
        OR (NEW.id, NEW.organization_id, NEW.month, NEW.figures, NEW.closed_at)
            IS DISTINCT FROM (OLD.id, OLD.organization_id, OLD.month, OLD.figures, OLD.closed_at) THEN
        RAISE EXCEPTION 'the figures of a closed month are not changed' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "month_close_only_reopens" BEFORE UPDATE ON "month_close" FOR EACH ROW EXECUTE FUNCTION "refuse_all_but_reopening"();

ALTER TABLE "month_close" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "month_close" USING (organization_id = current_organization_id());
ALTER TABLE "month_close_line" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "month_close_line" USING (organization_id = current_organization_id());
