-- Contents of requests, for organizations that have them kept (decision 25).

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "perm_contents" TEXT NOT NULL DEFAULT 'none'
    CONSTRAINT "api_key_perm_contents_check" CHECK ("perm_contents" IN ('none', 'read'));

-- CreateTable
CREATE TABLE "request_content" (
    "organization_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "api_key_id" UUID NOT NULL,
    "user_id" UUID,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "kept_until" TIMESTAMPTZ(3) NOT NULL,
    "dek_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "request_content_pkey" PRIMARY KEY ("organization_id","request_id")
);

-- CreateIndex
CREATE INDEX "request_content_organization_id_received_at_idx" ON "request_content"("organization_id", "received_at");

-- CreateIndex
CREATE INDEX "request_content_kept_until_idx" ON "request_content"("kept_until");

-- AddForeignKey
ALTER TABLE "request_content" ADD CONSTRAINT "request_content_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "request_content" ADD CONSTRAINT "request_content_dek_id_fkey" FOREIGN KEY ("dek_id") REFERENCES "org_dek"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What is sealed does not get smaller.
ALTER TABLE "request_content" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;

ALTER TABLE "request_content" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON "request_content" USING (organization_id = current_organization_id());
