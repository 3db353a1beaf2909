-- Raw events by day of admission, hours by month: old ones are dropped whole. Prisma sees a partitioned table as a table
-- and does not look at its partitions. What is there becomes the partition of everything before the first border, without
-- being copied; the next ones are made ahead of time by whoever folds usage.

-- usage_event
ALTER TABLE "usage_event" RENAME TO "usage_event_before";
ALTER TABLE "usage_event_before" DROP CONSTRAINT "usage_event_pkey";
ALTER TABLE "usage_event_before" ADD CONSTRAINT "usage_event_before_pkey" PRIMARY KEY ("writer_id", "seq", "admitted_at");
ALTER INDEX "usage_event_org_id_request_id_idx" RENAME TO "usage_event_before_org_id_request_id_idx";
CREATE TABLE "usage_event" (
    "writer_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "admitted_at" TIMESTAMPTZ(3) NOT NULL,
    "time_clamped" BOOLEAN NOT NULL DEFAULT false,
    "payload" JSON NOT NULL,

    CONSTRAINT "usage_event_pkey" PRIMARY KEY ("writer_id","seq","admitted_at")
) PARTITION BY RANGE ("admitted_at");
CREATE INDEX "usage_event_org_id_request_id_idx" ON "usage_event"("org_id", "request_id");
CREATE INDEX "usage_event_admitted_at_idx" ON "usage_event" USING BRIN ("admitted_at");

-- usage_hour
ALTER TABLE "usage_hour" RENAME TO "usage_hour_before";
ALTER TABLE "usage_hour_before" RENAME CONSTRAINT "usage_hour_pkey" TO "usage_hour_before_pkey";
CREATE TABLE "usage_hour" (
    "org_id" UUID NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "series_id" BIGINT NOT NULL,
    "requests" BIGINT NOT NULL,
    "attempts" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "audio_in_tokens" BIGINT NOT NULL,
    "audio_out_tokens" BIGINT NOT NULL,
    "searches" BIGINT NOT NULL,
    "images" BIGINT NOT NULL,
    "chars" BIGINT NOT NULL,
    "audio_ms" BIGINT NOT NULL,
    "cost_pico" DECIMAL(38,0) NOT NULL,
    "billed_pico" DECIMAL(38,0) NOT NULL,
    "duration_ms" BIGINT NOT NULL,
    "ttft_ms" BIGINT NOT NULL,
    "ttft_count" BIGINT NOT NULL,

    CONSTRAINT "usage_hour_pkey" PRIMARY KEY ("org_id","period_start","series_id")
) PARTITION BY RANGE ("period_start");
CREATE INDEX "usage_hour_period_start_idx" ON "usage_hour" USING BRIN ("period_start");

-- No event is further ahead than minutes, so two days from now nothing has happened yet
DO $$
DECLARE
    soon timestamp := (now() AT TIME ZONE 'UTC') + interval '2 days';
BEGIN
    EXECUTE format('ALTER TABLE "usage_event" ATTACH PARTITION "usage_event_before" FOR VALUES FROM (MINVALUE) TO (%L)',
        date_trunc('day', soon) AT TIME ZONE 'UTC');
    EXECUTE format('ALTER TABLE "usage_hour" ATTACH PARTITION "usage_hour_before" FOR VALUES FROM (MINVALUE) TO (%L)',
        (date_trunc('month', soon) + interval '1 month') AT TIME ZONE 'UTC');
END $$;

-- For what has no partition yet or any more: nothing is ever refused for want of one
CREATE TABLE "usage_event_other" PARTITION OF "usage_event" DEFAULT;
CREATE TABLE "usage_hour_other" PARTITION OF "usage_hour" DEFAULT WITH (fillfactor = 80);

-- Sums over all organizations of some hours
CREATE INDEX "ledger_tx_effective_at_idx" ON "ledger_tx" USING BRIN ("effective_at");
