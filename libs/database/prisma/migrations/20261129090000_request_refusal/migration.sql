-- Requests that were refused before anything was passed on, for people to look at: who, why and by which limit. No money is in it.

-- CreateTable
CREATE TABLE "request_refusal" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "refused_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "api_key_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "model" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "refused_by" JSONB,

    CONSTRAINT "request_refusal_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE INDEX "request_refusal_organization_id_refused_at_id_idx" ON "request_refusal"("organization_id", "refused_at", "id");

-- CreateIndex
CREATE INDEX "request_refusal_refused_at_idx" ON "request_refusal"("refused_at");

-- AddForeignKey
ALTER TABLE "request_refusal" ADD CONSTRAINT "request_refusal_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "request_refusal" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "request_refusal" USING (organization_id = current_organization_id());
