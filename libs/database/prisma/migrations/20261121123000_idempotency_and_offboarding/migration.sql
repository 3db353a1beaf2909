-- CreateTable
CREATE TABLE "idempotency_record" (
    "organization_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "request_sha256" BYTEA NOT NULL,
    "token" UUID NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "applied_at" TIMESTAMPTZ(3),
    "reply" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("organization_id","key_hash")
);

-- CreateTable
CREATE TABLE "offboard_job" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "subject" TEXT,
    "email" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "offboard_job_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateIndex
CREATE INDEX "idempotency_record_expires_at_idx" ON "idempotency_record"("expires_at");

-- CreateIndex
CREATE INDEX "offboard_job_finished_at_next_try_at_idx" ON "offboard_job"("finished_at", "next_try_at");
