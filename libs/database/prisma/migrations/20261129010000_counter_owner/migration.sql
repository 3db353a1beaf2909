-- Who keeps the counters of limits in its memory, where no Redis is shared: one row at most.

-- CreateTable
CREATE TABLE "counter_owner" (
    "place" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "owner_id" UUID,
    "holder" JSONB NOT NULL,
    "renewed_at" TIMESTAMPTZ(3) NOT NULL,
    "owned_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "counter_owner_pkey" PRIMARY KEY ("place")
);

-- Of the deployment, not of an organization: no tenant sees it.
ALTER TABLE "counter_owner" ENABLE ROW LEVEL SECURITY;
