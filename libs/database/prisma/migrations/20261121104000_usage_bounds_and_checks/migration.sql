-- AlterTable
ALTER TABLE "spend_month" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "usage_extra_field" (
    "org_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_extra_field_pkey" PRIMARY KEY ("org_id","field")
);

-- CreateTable
CREATE TABLE "usage_extra_value" (
    "org_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "usage_extra_value_pkey" PRIMARY KEY ("org_id","day","field","value")
);

-- CreateTable
CREATE TABLE "usage_bound_met" (
    "org_id" UUID NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "bound" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "first_met_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_bound_met_pkey" PRIMARY KEY ("org_id","day","bound","field")
);

-- CreateTable
CREATE TABLE "usage_check" (
    "resolution" TEXT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unexplained_pico" DECIMAL(38,0) NOT NULL,
    "findings" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "usage_check_pkey" PRIMARY KEY ("resolution","period_start","due_at")
);

-- CreateIndex
CREATE INDEX "usage_check_checked_at_idx" ON "usage_check"("checked_at");

-- What Prisma's schema language cannot say
ALTER TABLE "usage_bound_met"
    ADD CONSTRAINT "usage_bound_met_bound_check" CHECK ("bound" IN ('fields', 'values', 'series'));
