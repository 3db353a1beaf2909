-- How far usage is in the columnar store, where there is one. Without one both tables stay empty.

-- CreateTable
CREATE TABLE "usage_feed" (
    "store" TEXT NOT NULL,
    "run" BIGINT NOT NULL DEFAULT 0,
    "written_run" BIGINT NOT NULL DEFAULT 0,
    "leased_by" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "fed_as_of" TIMESTAMPTZ(3),
    "fed_since" TIMESTAMPTZ(3),
    "compared_day" TIMESTAMPTZ(3),

    CONSTRAINT "usage_feed_pkey" PRIMARY KEY ("store")
);

-- CreateTable
CREATE TABLE "usage_fed" (
    "writer_id" UUID NOT NULL,
    "fed" int8multirange NOT NULL DEFAULT '{}'::int8multirange,

    CONSTRAINT "usage_fed_pkey" PRIMARY KEY ("writer_id")
);

-- Of the deployment, not of an organization: no tenant sees them.
ALTER TABLE "usage_feed" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "usage_fed" ENABLE ROW LEVEL SECURITY;
